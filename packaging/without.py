"""Runs before each packaged program: stands in for large libraries that are imported in vain."""

from worker.shared.left_out import stand_in

# pyqtgraph could draw by OpenGL
stand_in("PySide6.QtOpenGL")
stand_in("PySide6.QtOpenGLWidgets", "QOpenGLWidget")
# mcp seals the state of calls that come over HTTP; ours come over stdin
stand_in("cryptography.exceptions", "InvalidTag")
stand_in("cryptography.hazmat.primitives.ciphers.aead", "AESGCM")
stand_in("cryptography.hazmat.primitives.hashes", "SHA256")
stand_in("cryptography.hazmat.primitives.kdf.hkdf", "HKDF")
