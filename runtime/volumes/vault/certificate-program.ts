/** The process that reads keys and certificates of tenants: one text after another; the agent ends it. */
import { messageOf } from '../../base/errors.ts';
import { type KeyAndChain, readKeyAndChain } from './key-and-chain.ts';

/** The key and certificates, absent where the text is neither PEM nor PKCS#12; or why it cannot be read. */
export type CertificateAnswer = { readonly parts?: KeyAndChain | undefined } | { readonly problem: string };

if (import.meta.main) {
  process.on('message', (value: string) => {
    void answerTo(value).then((answer) => process.send?.(answer));
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

function answerTo(value: string): Promise<CertificateAnswer> {
  return readKeyAndChain(value).then(
    (parts) => ({ parts }),
    (error: unknown) => ({ problem: messageOf(error) }),
  );
}
