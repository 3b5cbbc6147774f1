import { hasCredential, openReader } from '../../azure/open-reader.ts';
import { stopSignal } from '../../base/process/stop-signal.ts';
import { importConfig } from '../../import/config.ts';
import { importResources } from '../../import/importer.ts';
import { note } from '../exit/note.ts';
import type { Program } from '../program.ts';

/** `azimuth import`: writes manifests to standard output, and problems and a summary to standard error. */
export const importer: Program = async (argv) => {
  const config = importConfig(argv);
  if ('help' in config) {
    console.log(config.help);
    return 0;
  }
  const { reader, close } = await openReader(config.credential, process.env, {
    signal: stopSignal(),
    onWait: noteWait,
  });
  try {
    const { text, count, problems } = await importResources(reader, config);
    const written = await print(text);
    for (const { id, message } of problems) note(`${id}: ${message}`);
    if (!written) {
      note('azimuth: standard output was closed before everything was written');
      return 1;
    }
    if (problems.length > 0 && config.credential === 'environment' && !hasCredential(process.env)) {
      note(
        'azimuth: no credential is set: sign in with `az login` and leave --credential out, or set AZURE_TENANT_ID, ' +
          'AZURE_CLIENT_ID and AZURE_CLIENT_SECRET; without them only the managed identity of a machine in Azure is left',
      );
    }
    const failed = problems.length === 0 ? '' : `, ${problems.length} not or not in full`;
    note(`azimuth: ${count} imported${failed}`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
};

/** Shows progress to a user at a terminal. */
function noteWait(ms: number, error: Error): void {
  if (ms >= 5000) note(`azimuth: waiting ${Math.ceil(ms / 1000)} s: ${error.message}`);
}

/** Whether the reader accepted all of the text: a pager or `head` may end before. */
function print(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve(false));
    process.stdout.write(text, (error) => resolve(!error));
  });
}
