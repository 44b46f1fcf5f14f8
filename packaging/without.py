"""Runs before each packaged program: stands in for large libraries that are imported in vain."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType


def stand_in(module: str, *names: str) -> None:
    """Have a module that holds empty classes of these names."""
    made = ModuleType(module)
    made.__spec__ = ModuleSpec(module, None)
    for name in names:
        setattr(made, name, type(name, (), {}))
    sys.modules[module] = made


# Chroma would send what it measures by gRPC, which we never have it do
stand_in("opentelemetry.exporter.otlp.proto.grpc.trace_exporter", "OTLPSpanExporter")
# pyqtgraph could draw by OpenGL
stand_in("PySide6.QtOpenGL")
stand_in("PySide6.QtOpenGLWidgets", "QOpenGLWidget")
# mcp seals the state of calls that come over HTTP; ours come over stdin
stand_in("cryptography.exceptions", "InvalidTag")
stand_in("cryptography.hazmat.primitives.ciphers.aead", "AESGCM")
stand_in("cryptography.hazmat.primitives.hashes", "SHA256")
stand_in("cryptography.hazmat.primitives.kdf.hkdf", "HKDF")
