"""The models by which passages of documents at URLs are found."""

from pydantic import Field, SecretStr

from pincite.settings.base import Section


class Retrieval(Section):
    """The models by which passages of documents at URLs are found, besides the embedding model."""

    accurate: str = Field(
        "BAAI/bge-small-en-v1.5",
        validation_alias="EMBEDDING_MODEL_ACCURATE",
        description="The embedding model of documents of less than 100 chunks; needs `pip install "
        "'pincite[fastembed]'`. Without it the other model serves every size.",
    )
    reranker: str = Field(
        "ms-marco-MiniLM-L-6-v2",
        validation_alias="RERANK_MODEL",
        description="The cross-encoder that orders passages; needs `pip install 'pincite[fastembed]'`. Without it "
        "they are in the order of the search.",
    )
    token: SecretStr | None = Field(
        None,
        validation_alias="HUGGINGFACE_TOKEN",
        description="Token for models whose hub asks for one.",
    )
