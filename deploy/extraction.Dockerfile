# The image of the services of compose.yaml and compose.scale.yaml; `command` says which one. It has the engine `claude`
# with the runner `api`, whose packages are open source, and the client of PostgreSQL:
# docker build -f deploy/extraction.Dockerfile -t pincite-extraction .
ARG PYTHON=3.12.14-slim-trixie@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea

FROM python:${PYTHON} AS build
# A mirror of the package index: docker build --build-arg PIP_INDEX_URL=…
ARG PIP_INDEX_URL
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
COPY requirements/runtime.lock requirements/agent.lock requirements/postgres.lock requirements/
RUN python -m venv /opt/pincite \
    && /opt/pincite/bin/pip install --require-hashes -r requirements/runtime.lock -r requirements/agent.lock \
        -r requirements/postgres.lock
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN /opt/pincite/bin/pip install --no-deps --no-build-isolation .
# Fetched now, by its hash: the services themselves then need no network but the model's.
RUN PINCITE_CACHE=/model /opt/pincite/bin/pincite models fetch

FROM python:${PYTHON}
RUN install -d -o 10001 -g 10001 /data
COPY --from=build /opt/pincite /opt/pincite
COPY --from=build /model/models/model.safetensors /opt/model/
ENV PATH=/opt/pincite/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/data \
    PINCITE_MODEL_DIR=/opt/model \
    PINCITE_FETCH_MODEL=false
USER 10001:10001
WORKDIR /data
VOLUME /data
ENTRYPOINT ["pincite"]
CMD ["serve", "--toolsets", "extraction", "--transport", "http"]
