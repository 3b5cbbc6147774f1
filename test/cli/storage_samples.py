"""What the samples of azure-storage-blob and azure-storage-queue do, against the sandbox. Prints JSON."""

import json
import sys
from datetime import datetime, timedelta, timezone

from azure.core import MatchConditions
from azure.core.exceptions import HttpResponseError, ResourceModifiedError, ResourceNotFoundError
from azure.identity import DefaultAzureCredential
from azure.storage.blob import (
    BlobBlock,
    BlobClient,
    BlobSasPermissions,
    BlobServiceClient,
    ContentSettings,
    generate_blob_sas,
)
from azure.storage.queue import QueueServiceClient

blob_address, queue_address, connection = sys.argv[1:]
results = {}
account = blob_address.split("/")[-1]
tomorrow = datetime.now(timezone.utc) + timedelta(days=1)

service = BlobServiceClient.from_connection_string(connection)
container = service.create_container("samples", metadata={"team": "blue"})
blob = container.get_blob_client("blocks.bin")
blocks = [BlobBlock(block_id=f"{number:04}") for number in range(3)]
for number, block in enumerate(blocks):
    blob.stage_block(block.id, f"part{number} ".encode())
blob.commit_block_list(
    blocks, metadata={"a": "b"}, content_settings=ContentSettings(content_type="text/x")
)
properties = blob.get_blob_properties()
results["blocks"] = [
    blob.download_blob().readall().decode(),
    properties.metadata,
    properties.content_settings.content_type,
]
results["range"] = blob.download_blob(offset=6, length=5).readall().decode()
results["block list"] = [len(each) for each in blob.get_block_list("all")]

blob.set_blob_metadata({"c": "d"})
blob.set_http_headers(ContentSettings(content_type="text/y", cache_control="no-store"))
blob.set_standard_blob_tier("Cool")
properties = blob.get_blob_properties()
results["properties"] = [properties.metadata, properties.content_settings.cache_control, properties.blob_tier]

try:
    blob.upload_blob(b"x", overwrite=True, etag='"old"', match_condition=MatchConditions.IfNotModified)
except ResourceModifiedError as error:
    results["condition"] = error.error_code
lease = blob.acquire_lease(15)
try:
    blob.delete_blob()
except HttpResponseError as error:
    results["leased"] = error.error_code
lease.release()

snapshot = blob.create_snapshot()
copy = container.get_blob_client("copy.bin")
results["copy"] = copy.start_copy_from_url(blob.url)["copy_status"]
results["listed"] = [each.name for each in container.list_blobs(include=["metadata", "snapshots"])]
results["prefixes"] = [each.name for each in container.walk_blobs(delimiter=".")]

log = container.get_blob_client("log")
log.create_append_blob()
for line in ("one ", "two"):
    log.append_block(line)
results["append"] = log.download_blob().readall().decode()
disk = container.get_blob_client("disk")
disk.create_page_blob(1536)
disk.upload_page(b"p" * 512, offset=512, length=512)
results["pages"] = [[each.start, each.end] for each in disk.list_page_ranges()]

token = generate_blob_sas(
    account,
    "samples",
    "copy.bin",
    account_key=service.credential.account_key,
    permission=BlobSasPermissions(read=True),
    expiry=tomorrow,
)
signed = BlobClient.from_blob_url(f"{blob_address}/samples/copy.bin", credential=token)
results["signature"] = signed.download_blob().readall().decode()
by_token = BlobServiceClient(blob_address, credential=DefaultAzureCredential(disable_instance_discovery=True))
key = by_token.get_user_delegation_key(datetime.now(timezone.utc), tomorrow)
token = generate_blob_sas(
    account,
    "samples",
    "log",
    user_delegation_key=key,
    permission=BlobSasPermissions(read=True),
    expiry=tomorrow,
)
delegated = BlobClient.from_blob_url(f"{blob_address}/samples/log", credential=token)
results["delegated"] = delegated.download_blob().readall().decode()

container.delete_blobs("log", "disk", "copy.bin")
results["after batch"] = [each.name for each in container.list_blobs()]
try:
    log.download_blob()
except ResourceNotFoundError as error:
    results["gone"] = error.error_code

queue = QueueServiceClient.from_connection_string(connection).create_queue("samples")
queue.send_message("first & <second>")
queue.send_message("third")
results["peeked"] = [each.content for each in queue.peek_messages(max_messages=5)]
message = next(iter(queue.receive_messages()))
message = queue.update_message(message, content="changed", visibility_timeout=0)
changed = next(each for each in queue.receive_messages() if each.content == "changed")
queue.delete_message(changed)
results["messages"] = queue.get_queue_properties().approximate_message_count
queue.delete_queue()
print(json.dumps(results))
