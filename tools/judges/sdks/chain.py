"""Asks azure-identity for a token. Arguments: `default` or `managed`, and a client id or ''."""
import json
import sys
import time

from azure.identity import DefaultAzureCredential, ManagedIdentityCredential

mode, client_id = sys.argv[1], sys.argv[2] or None
if mode == "default":
    credential = DefaultAzureCredential(managed_identity_client_id=client_id)
else:
    credential = ManagedIdentityCredential(client_id=client_id)
started = time.monotonic()
try:
    credential.get_token("https://vault.azure.net/.default")
    text = "token"
except Exception as error:
    text = f"{type(error).__name__}: {error}"
print(json.dumps({"ms": round(1000 * (time.monotonic() - started)), "text": text}))
