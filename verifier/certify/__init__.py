"""Certificates: proofs written out as SMT-LIB files with a manifest, and their re-checking from these files alone."""
