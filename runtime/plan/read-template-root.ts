import { statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { expected } from '../base/errors.ts';
import type { LinkedTemplates } from '../compute/deployments/linked-templates.ts';
import { isParametersFile, isTemplate } from './read-documents.ts';
import { readFiles } from './read-files.ts';

/** Most templates of a folder, as a ComputeDeployment takes them. */
const maxTemplates = 100;

/**
 * The ARM templates of a folder and their parameters files, at any depth, by their paths relative to it. Throws AZ_CONFIG_INVALID for what is no folder,
 * and for one with more than 100 templates.
 */
export async function readTemplateRoot(root: string): Promise<LinkedTemplates> {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw expected('--template-root', 'a folder with templates', root);
  const files = await readFiles([root], Readable.from([]), { recursive: true });
  const templates = files.filter(({ text }) => isTemplate(text) || isParametersFile(text));
  if (templates.length > maxTemplates)
    throw expected('--template-root', `a folder with at most ${maxTemplates} templates`, `${templates.length} of them`);
  return Object.fromEntries(templates.map(({ name, text }) => [relative(root, name).split(sep).join('/'), text]));
}
