ARG YARDKIT_IMAGE=<<IMAGE>>
FROM ${YARDKIT_IMAGE}
# The episode's directory comes with the rights of whoever collected it.
USER root
COPY . /tests
ENTRYPOINT []
