"""Sharing with the machines nearby: which address, under which certificate, as a QR code."""
