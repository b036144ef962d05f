"""Move the collection of a folder, or the library, between its SQLite file and PostgreSQL, or to newer tables there."""

from contextlib import closing
from dataclasses import dataclass

from pincite.app.collections import schema_name
from pincite.errors import ConfigError
from pincite.index.collection import Spec
from pincite.model.call import Call
from pincite.registry import STORES, find, load
from pincite.settings import Settings
from pincite.store.sqlite.transfer import SqliteOrigin, SqliteTarget
from pincite.store.transfer import Origin, Target, compare, copy


@dataclass(frozen=True, slots=True)
class Migrated:
    """The result of a migration.

    Attributes:
        counts: The number of rows by table, each compared with its original.
        place: The schema or file that holds the collection now.
    """

    counts: dict[str, int]
    place: str


def to_postgres(settings: Settings, spec: Spec, dsn: str, call: Call, *, replace: bool) -> Migrated:
    """Copy a collection from its file into PostgreSQL, and compare every row; the file stays as it is.

    Raises:
        ConfigError: There is no file, the database has the collection already, or another process migrates it.
        ConnectionFailed: The database cannot be reached.
        Unsupported: The extra is not installed.
        InternalError: A row of the copy differs.
    """
    load(find(STORES, "postgres"))
    from pincite.store.postgres.connections import place  # noqa: PLC0415 - an extra
    from pincite.store.postgres.transfer import PostgresTarget  # noqa: PLC0415 - an extra

    schema, timeout = schema_name(spec), settings.storage.store_connect_timeout
    with closing(SqliteOrigin(spec.location)) as origin:
        make = PostgresTarget(dsn, schema, origin.summary(), source=spec.identity, replace=replace, timeout=timeout)
        with closing(make) as target:
            counts = _copied(origin, target, call)
            target.publish()
    return Migrated(counts, place(dsn, schema))


def from_postgres(settings: Settings, spec: Spec, dsn: str, call: Call, *, replace: bool) -> Migrated:
    """Copy a collection from PostgreSQL into its file, and compare every row; the database stays as it is.

    Raises:
        PinciteError: See `to_postgres`.
    """
    load(find(STORES, "postgres"))
    from pincite.store.postgres.transfer import PostgresOrigin  # noqa: PLC0415 - an extra

    schema, timeout = schema_name(spec), settings.storage.store_connect_timeout
    with closing(PostgresOrigin(dsn, schema, timeout=timeout)) as origin:
        make = SqliteTarget(spec.location, origin.summary(), source=spec.identity, replace=replace)
        with closing(make) as target:
            counts = _copied(origin, target, call)
            target.publish()
    return Migrated(counts, str(spec.location))


def upgrade(settings: Settings, spec: Spec, dsn: str, call: Call) -> Migrated:
    """Copy a collection of an older version of the tables into ones of this version, which replace them.

    Raises:
        ConfigError: There is none, it has the tables of this version, or it changed meanwhile.
        PinciteError: See `to_postgres`.
    """
    load(find(STORES, "postgres"))
    from pincite.store.postgres.connections import place  # noqa: PLC0415 - an extra
    from pincite.store.postgres.transfer import PostgresOrigin, PostgresTarget  # noqa: PLC0415 - an extra

    schema, timeout = schema_name(spec), settings.storage.store_connect_timeout
    with closing(PostgresOrigin(dsn, schema, timeout=timeout, older=True)) as origin:
        summary = origin.summary()
        target = PostgresTarget(dsn, schema, summary, source=spec.identity, replace=True, timeout=timeout)
        with closing(target):
            counts = _copied(origin, target, call)
            # Its tables cannot be dropped while this transaction reads them.
            origin.close()
            with closing(PostgresOrigin(dsn, schema, timeout=timeout, older=True)) as present:
                if present.summary() != summary:
                    raise ConfigError("The collection changed meanwhile. Stop its servers and run the command again.")
            target.publish()
    return Migrated(counts, place(dsn, schema))


def _copied(origin: Origin, target: Target, call: Call) -> dict[str, int]:
    copy(origin, target, call)
    return compare(origin, target, call)
