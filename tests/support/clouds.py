"""The cloud project of a seeded company: buckets with exports and their older versions, logs, machines, jobs."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from yardkit.apps.warehouse import (
    Bucket,
    Cloud,
    Entry,
    Instance,
    Job,
    Sink,
    bucket_folder,
    log_file,
    save_cloud,
    write_entries,
)
from yardkit.state_init.company.cast import Cast
from yardkit.world import World, save_text

_SERVICES = ("shop-api", "warehouse-loader", "mail-relay")
_NOISE = {
    "shop-api": ("GET /products {} 200 in {} ms", "cart {} saved in {} ms", "cache warmed: {} keys in {} ms"),
    "warehouse-loader": ("batch {} loaded, {} rows", "batch {} checked, {} rows", "partition {} pruned, {} files"),
    "mail-relay": (
        "queued message {} ({} bytes)",
        "delivered message {} in {} ms",
        "greylisted message {}, again in {} s",
    ),
}
_WARNINGS = ("slow answer for request {}: {} ms", "batch {} came {} minutes late", "retry {} of {}")
_ERRORS = (
    "connection to database {} lost after {} s",
    "batch {} failed: {} rows without a SKU",
    "disk {} is {} percent full",
)


@dataclass(frozen=True)
class CloudFilled:
    """What tasks point at. buckets, instances: by name; errors: entries of ERROR and above, by log."""

    project: str
    buckets: tuple[str, ...]
    instances: tuple[str, ...]
    errors: dict[str, int]


def fill_cloud(world: World, cast: Cast, rng: random.Random, *, entries: int = 900) -> CloudFilled:
    """Three buckets, three logs with `entries` entries of two weeks, six machines of which some stand still, jobs."""
    word = cast.domain.partition(".")[0]
    project = f"{word}-data"
    now = world.now.astimezone(UTC)
    names = tuple(f"{word}-{what}" for what in ("exports", "exports-old", "uploads"))
    cloud = Cloud(project, sinks={"errors-to-bucket": Sink(f"storage://{names[0]}", "severity>=ERROR")})
    for place, name in enumerate(names):
        created = now - timedelta(days=400 - 90 * place)
        cloud.buckets[name] = Bucket(created.isoformat(), "EU", labels={"team": rng.choice(("data", "sales"))})
        _put_objects(world, cast, rng, name, old=place == 1)
    for number in range(6):
        instance = _make_instance(rng, now, number)
        cloud.instances[f"{instance.zone}/{'web' if number < 3 else 'batch'}-{number % 3 + 1}"] = instance
    for number in range(12):
        cloud.jobs[f"job_{rng.getrandbits(64):016x}"] = _make_job(rng, now, number)
    save_cloud(world, cloud)
    errors = {service: _put_log(world, rng, service, now, entries // len(_SERVICES)) for service in _SERVICES}
    return CloudFilled(project, names, tuple(name.partition("/")[2] for name in cloud.instances), errors)


def _put_objects(world: World, cast: Cast, rng: random.Random, bucket: str, *, old: bool) -> None:
    root = bucket_folder(world, bucket)
    for back in range(1, 7):
        month = (world.now - timedelta(days=31 * back)).strftime("%Y-%m")
        goods = rng.sample(cast.products, 12)
        lines = [
            f"{product.sku},{rng.randrange(5, 90)},{(product.price + (100 if old else 0)) / 100:.2f}"
            for product in goods
        ]
        save_text(root / "sales" / f"{month}.csv", "\n".join(["sku,pieces,price", *lines, ""]))
    save_text(
        root / "README.txt", f"Exports of {cast.company.full}{', before the correction of prices' if old else ''}.\n"
    )


def _make_instance(rng: random.Random, now: datetime, number: int) -> Instance:
    created = (now - timedelta(days=rng.randrange(20, 700))).isoformat()
    inside, outside = f"10.132.0.{number + 2}", f"203.0.113.{number + 10}" if number < 3 else ""
    kind = rng.choice(("e2-micro", "e2-medium", "n2-standard-4"))
    status = "RUNNING" if number % 4 else "TERMINATED"
    zone = f"europe-west3-{'abc'[number % 3]}"
    tags = ["http-server"] if outside else []
    return Instance(zone, kind, status, created, inside, outside, rng.choice((10, 20, 50)), tags, {"env": "prod"})


def _make_job(rng: random.Random, now: datetime, number: int) -> Job:
    created = (now - timedelta(hours=number * 7, minutes=rng.randrange(60))).isoformat()
    error = rng.choice(("", "", "", "Resources exceeded during query execution"))
    return Job("RUNNING" if number == 0 else "DONE", rng.choice(("query", "query", "load", "extract")), created, error)


def _put_log(world: World, rng: random.Random, service: str, now: datetime, count: int) -> int:
    moments = sorted(now - timedelta(seconds=rng.randrange(14 * 86_400)) for _ in range(count))
    entries = []
    for moment in moments:
        severity = rng.choices(("INFO", "DEBUG", "WARNING", "ERROR", "CRITICAL"), (70, 12, 12, 5, 1))[0]
        says = {"WARNING": _WARNINGS, "ERROR": _ERRORS, "CRITICAL": _ERRORS}.get(severity, _NOISE[service])
        message = rng.choice(says).format(rng.randrange(100, 9_999), rng.randrange(2, 900))
        labels = {"zone": f"europe-west3-{rng.choice('abc')}"}
        entries.append(Entry(f"{moment:%Y-%m-%dT%H:%M:%SZ}", severity, message, labels))
    write_entries(log_file(world, service), entries)
    return sum(entry.severity in ("ERROR", "CRITICAL") for entry in entries)
