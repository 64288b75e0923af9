"""`python -m verifier` is the command `verify`."""

import sys

from verifier.cli import main

sys.exit(main())
