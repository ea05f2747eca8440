"""One JSON line per event on standard error, from structlog and from the standard library alike."""

from __future__ import annotations

import logging
from typing import Any

import structlog

SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


class RoutesForPaths(logging.Filter):
    """Puts the route where Django logs a request's path, which may hold a table's secret link."""

    def filter(self, record: logging.LogRecord) -> bool:
        match = getattr(getattr(record, "request", None), "resolver_match", None)
        if match is not None and isinstance(record.args, tuple) and len(record.args) == 2:
            record.args = (record.args[0], match.route)
        return True


def logging_config(*, level: str) -> dict[str, Any]:
    """A ``dictConfig`` mapping; configures structlog to end in the same handler."""
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *SHARED_PROCESSORS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
                ],
                "foreign_pre_chain": SHARED_PROCESSORS,
            }
        },
        "filters": {"routes": {"()": RoutesForPaths}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "filters": ["routes"]}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Each request has its own line from request_log; Django's would name secret links.
            "django.request": {"level": "ERROR", "handlers": ["stderr"], "propagate": False},
            "django.server": {"level": "ERROR", "handlers": ["stderr"], "propagate": False},
        },
    }
