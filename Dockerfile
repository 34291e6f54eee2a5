# CPU by default. For a GPU: docker build --build-arg TORCH_INDEX=https://download.pytorch.org/whl/cu130 .
FROM python:3.11-slim

ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu

ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    TIMEMIL_HOME=/var/lib/timemil \
    TIMEMIL_DATA_DIR=/data \
    AEON_DATA=/var/lib/timemil/archive

WORKDIR /opt/timemil
COPY requirements.txt ./
RUN pip install --index-url ${TORCH_INDEX} "$(grep '^torch==' requirements.txt)" \
    && pip install -r requirements.txt

COPY pyproject.toml setup.py requirements-*.txt README.md LICENSE ./
COPY timemil_core ./timemil_core
COPY app ./app
COPY pretrained ./pretrained
RUN pip install --no-deps -e . \
    && useradd --create-home --uid 10001 timemil \
    && mkdir -p /var/lib/timemil /data \
    && chown timemil /var/lib/timemil

USER timemil
VOLUME ["/var/lib/timemil", "/data"]
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD python -c "import urllib.request as r; r.urlopen('http://localhost:8501/_stcore/health', timeout=4)"

# Inside the container the app listens on all interfaces; publish the port on the host's loopback, as the README does.
CMD ["streamlit", "run", "app/main.py", "--server.address=0.0.0.0", "--server.port=8501"]
