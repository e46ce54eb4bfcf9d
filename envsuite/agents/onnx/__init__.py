"""Trained policies as ONNX files: written without PyTorch's exporter, read without trust, run without an ONNX library.

A policy is two files: ``NAME.onnx`` holds a graph of at most 50 MB made of allowed operators only, ``NAME.json`` says
how to play it (`Interface`). Results are the same bits on every CPU and for every number of rows.
"""

from envsuite.agents.onnx.graph import Graph, mlp
from envsuite.agents.onnx.interface import Action, Interface, State
from envsuite.agents.onnx.model import Model
from envsuite.agents.onnx.policy import OnnxPolicy, load, save
from envsuite.agents.onnx.program import Program

__all__ = ["Action", "Graph", "Interface", "Model", "OnnxPolicy", "Program", "State", "load", "mlp", "save"]
