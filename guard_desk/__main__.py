"""`python -m guard_desk`."""

from guard_desk.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
