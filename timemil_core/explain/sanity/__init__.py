"""Checks of a method rather than of a map: do methods agree, and does a map change when the weights are destroyed?"""
