import { expected } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { convertConfig } from '../../convert/config.ts';
import { convertTemplate } from '../../convert/convert-template.ts';
import { renderCdk8s } from '../../import/render-cdk8s.ts';
import { renderYaml } from '../../import/render-yaml.ts';
import { deploymentNameOf, isTemplate, parametersOf, withSecretNames } from '../../plan/read-documents.ts';
import { readFiles, readParameters } from '../../plan/read-files.ts';
import { readTemplateRoot } from '../../plan/read-template-root.ts';
import { exitCodes } from '../exit/failure.ts';
import { note } from '../exit/note.ts';
import type { Program } from '../program.ts';

/** `azimuth convert`: writes the objects of an ARM template to standard output, and problems to standard error. */
export const convert: Program = async (argv) => {
  const config = convertConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  const { templateRoot, bicep, file, output, parameters, ...rest } = config;
  const [template, ...others] = await readFiles([file], process.stdin, { bicep });
  if (!template || others.length > 0 || !isTemplate(template.text))
    throw expected('--filename', 'one ARM template, whose `$schema` says so', file);
  const own = template.parameters === undefined ? undefined : { name: file, text: template.parameters };
  const values = parameters === undefined ? own : await readParameters(parameters, process.stdin);
  const deployment = deploymentNameOf(template.name);
  const secret = `${deployment}-parameters`;
  const given = withSecretNames(values ? parametersOf(values) : {}, template.text, secret);
  const { manifests, problems, notes } = convertTemplate({
    ...rest,
    json: template.text,
    file: template.name,
    deployment,
    parameters: given,
    ...(templateRoot !== undefined && { linkedTemplates: await readTemplateRoot(templateRoot) }),
    now: Date.now(),
  });
  if (manifests.length > 0) console.log((output === 'yaml' ? renderYaml(manifests) : renderCdk8s(manifests)).trimEnd());
  const keys = keysOf(secret, given);
  if (keys.length > 0) note(`Note: create the Secret ${secret} with the keys ${keys.join(', ')}: no secret is printed`);
  for (const each of notes) note(`Note: ${each}`);
  for (const { place, message } of problems) note(`${place}: ${message}`);
  const failed = problems.length === 0 ? '' : `, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`;
  note(`azimuth: ${manifests.length} converted${failed}`);
  return problems.length === 0 ? exitCodes.done : exitCodes.failed;
};

/** The keys of a Secret that parameters name. */
function keysOf(name: string, parameters: Readonly<Record<string, unknown>>): string[] {
  return Object.values(parameters).flatMap((input) => {
    const secret = isObject(input) ? input['secret'] : undefined;
    return isObject(secret) && secret['name'] === name ? [String(secret['key'])] : [];
  });
}
