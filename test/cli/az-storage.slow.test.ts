/** Blobs and queues by the az command line and by the Python SDK that it brings, unmodified. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { az, directory, python, withAz } from './az-sandbox.ts';

const samples = join(import.meta.dirname, 'storage_samples.py');
const file = (name: string) => join(directory, name);
const expiry = '--expiry 2030-01-01T00:00Z';
let blobs = '';
let queues = '';
let connection = '';

/** az with a connection string. */
const keyed = (line: string) => az(`AZURE_STORAGE_CONNECTION_STRING='${connection}' az storage ${line}`);
/** az with other credentials. */
const storage = (line: string, credentials: string) =>
  az(`az storage ${line} --account-name azimuthdata --blob-endpoint ${blobs} ${credentials}`);

const names = '--query "[].name"';

withAz('az makes an account, and a container with its key', () => {
  az('az group create -n data -l westeurope');
  az('az storage account create -g data -n azimuthdata -l westeurope --sku Standard_LRS');
  const key = az('az storage account keys list -g data -n azimuthdata --query [0].value') as string;
  const environment = readFileSync(file('azure.env'), 'utf8');
  const address = (name: string) => new RegExp(`${name}='([^']+)'`).exec(environment)?.[1];
  blobs = `${address('AZURE_STORAGE_BLOB_ENDPOINT')}/azimuthdata`;
  queues = `${address('AZURE_STORAGE_QUEUE_ENDPOINT')}/azimuthdata`;
  connection = `DefaultEndpointsProtocol=https;AccountName=azimuthdata;AccountKey=${key};BlobEndpoint=${blobs};QueueEndpoint=${queues}`;
  expect(storage('container create -n one', `--account-key ${key}`)).toEqual({ created: true });
  expect(keyed(`container list ${names}`)).toEqual(['one']);
  expect(keyed('container show -n one --query properties.lease.status')).toBe('unlocked');
});

withAz('az uploads, shows, copies, downloads and deletes blobs', () => {
  writeFileSync(file('hello.txt'), 'hello');
  keyed(`blob upload -c one -n dir/a.txt -f ${file('hello.txt')} --no-progress`);
  const shown = '--query "[properties.contentLength, properties.contentSettings.contentType]"';
  expect(keyed(`blob show -c one -n dir/a.txt ${shown}`)).toEqual([5, 'text/plain']);
  expect(keyed('blob url -c one -n dir/a.txt')).toBe(`${blobs}/one/dir/a.txt`);
  const copy = 'blob copy start -c one -b b.txt --source-container one --source-blob dir/a.txt';
  expect(keyed(`${copy} --query copy_status`)).toBe('success');
  keyed(`blob download -c one -n b.txt -f ${file('b.txt')} --no-progress`);
  expect(readFileSync(file('b.txt'), 'utf8')).toBe('hello');
  keyed('blob delete -c one -n b.txt');
  expect(keyed(`blob list -c one ${names}`)).toEqual(['dir/a.txt']);
});

withAz('az signs for a blob with a key and with a delegated key, and reads with a role', () => {
  const sign = 'blob generate-sas -c one -n dir/a.txt --permissions r';
  const read = (signature: unknown) =>
    az(`curl -sf --cacert ${file('azure-ca.pem')} '${blobs}/one/dir/a.txt?${signature}' | sed 's/.*/"&"/'`);
  expect(read(keyed(`${sign} ${expiry}`))).toBe('hello');
  expect(() => storage('blob list -c one', '--auth-mode login')).toThrow(/required permissions/);
  const { name } = (az('az account show') as { user: { name: string } }).user;
  const role = (of: string) =>
    az(
      `az role assignment create --assignee ${name} --role "${of}" --scope "$(az group show -n data --query id -o tsv)"`,
    );
  role('Storage Blob Data Contributor');
  expect(storage(`blob list -c one ${names}`, '--auth-mode login')).toEqual(['dir/a.txt']);
  const tomorrow = '--expiry $(date -u -d "+1 day" +%Y-%m-%dT%H:%MZ)';
  expect(read(storage(`${sign} ${tomorrow} --as-user`, '--auth-mode login'))).toBe('hello');
});

withAz('az makes queues, and puts, peeks, takes and deletes messages', () => {
  expect(keyed('queue create -n jobs --query created')).toBe(true);
  expect(keyed(`queue list ${names}`)).toEqual(['jobs']);
  keyed('message put -q jobs --content "first & <second>"');
  expect(keyed('message peek -q jobs --query [].content')).toEqual(['first & <second>']);
  const [taken] = keyed('message get -q jobs --query "[].[id, popReceipt]"') as string[][];
  keyed(`message delete -q jobs --id ${taken?.[0]} --pop-receipt '${taken?.[1]}'`);
  expect(keyed('message peek -q jobs')).toEqual([]);
});

withAz('the samples of the Python SDKs work', () => {
  const run = `. ${file('azure.env')}; exec ${python} ${samples} ${blobs} ${queues} '${connection}'`;
  expect(az(run)).toEqual({
    blocks: ['part0 part1 part2 ', { a: 'b' }, 'text/x'],
    range: 'part1',
    'block list': [3, 0],
    properties: [{ c: 'd' }, 'no-store', 'Cool'],
    condition: 'ConditionNotMet',
    leased: 'LeaseIdMissing',
    copy: 'success',
    listed: ['blocks.bin', 'blocks.bin', 'copy.bin'],
    prefixes: ['blocks.', 'copy.'],
    append: 'one two',
    pages: [[512, 1023]],
    signature: 'part0 part1 part2 ',
    delegated: 'one two',
    'after batch': ['blocks.bin'],
    gone: 'BlobNotFound',
    peeked: ['first & <second>', 'third'],
    messages: 1,
  });
});
