# The agent's container: nothing of Yardkit, whose package holds the solutions. Tools are reached over HTTP.
FROM python:3.12-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates curl git \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /work
