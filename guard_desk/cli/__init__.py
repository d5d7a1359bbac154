"""The command line. Every verb is thin over `guard_desk.api`; results go to stdout, progress and errors to stderr."""

from guard_desk.cli.main import main

__all__ = ["main"]
