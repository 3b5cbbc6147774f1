/** The process that reads texts of tenants: keys, certificates and YAML, one job after another; the agent ends it. */
import { messageOf } from '../../../base/errors.ts';
import { readYaml, type YamlAnswer, type YamlJob } from '../../options/bounded-yaml.ts';
import { type KeyAndChain, readKeyAndChain } from '../../vault/key-and-chain.ts';

/** A text that may be PEM or PKCS#12, or texts of YAML. */
export type TenantTextJob = { readonly certificate: string } | { readonly yaml: YamlJob };

/** The key and certificates, absent where the text is neither PEM nor PKCS#12; or why it cannot be read. */
export type CertificateAnswer = { readonly parts?: KeyAndChain | undefined } | { readonly problem: string };

/** The answer to a job of either kind. */
export type TenantTextAnswer = { readonly certificate: CertificateAnswer } | { readonly yaml: YamlAnswer };

if (import.meta.main) {
  process.on('message', (job: TenantTextJob) => {
    void answerTo(job).then((answer) => process.send?.(answer));
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

async function answerTo(job: TenantTextJob): Promise<TenantTextAnswer> {
  if ('yaml' in job) return { yaml: readYaml(job.yaml) };
  const certificate = await readKeyAndChain(job.certificate).then(
    (parts) => ({ parts }),
    (error: unknown) => ({ problem: messageOf(error) }),
  );
  return { certificate };
}
