#a comment
@problemName Toy
@timestamps false
@univariate false
@equalLength false
@classLabel true walk run
@data
1,2,3:1,0,-1:walk
5,6:5,4:run
