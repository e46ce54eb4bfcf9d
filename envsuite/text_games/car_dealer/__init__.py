"""Selling a car to a buyer whose budget and wishes are hidden."""
