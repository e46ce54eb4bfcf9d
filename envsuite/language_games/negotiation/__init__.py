"""Negotiation by offers."""
