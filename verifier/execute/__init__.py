"""Numbers on strings: soft and hard heads run in floating point, and the worst string at each length.

Reads construction files only, never a proof, so that it is an independent check. Floating point proposes here; it
decides no verdict.
"""
