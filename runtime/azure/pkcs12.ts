import forge from 'node-forge';

/**
 * Reads a PKCS#12 file into PEM blocks: every certificate, and the first private key as unencrypted PKCS#8. node:tls
 * refuses RC2-40 files and gives no key out, so the reader is node-forge, which knows the legacy and the AES forms.
 * Throws a plain Error with node-forge's reason.
 */
export function pkcs12ToPem(
  content: Buffer,
  password: string,
): { certificates: string[]; privateKey: string | undefined } {
  const asn1 = forge.asn1.fromDer(content.toString('binary'));
  const file = forge.pkcs12.pkcs12FromAsn1(asn1, false, password);
  const bags = file.safeContents.flatMap((contents) => contents.safeBags);
  const key = bags.find((bag) => bag.key || (bag.asn1 && isKeyBag(bag.type)));
  return {
    certificates: bags.flatMap((bag) => {
      if (bag.cert) return [forge.pki.certificateToPem(bag.cert)];
      // Certificates with keys that node-forge does not know (EC) stay ASN.1.
      if (bag.type === forge.pki.oids['certBag'] && bag.asn1) {
        return [pem('CERTIFICATE', forge.asn1.toDer(bag.asn1).getBytes())];
      }
      return [];
    }),
    privateKey: key && pem('PRIVATE KEY', forge.asn1.toDer(keyAsn1(key)).getBytes()),
  };
}

function isKeyBag(type: string): boolean {
  return type === forge.pki.oids['keyBag'] || type === forge.pki.oids['pkcs8ShroudedKeyBag'];
}

function keyAsn1(bag: forge.pkcs12.Bag): forge.asn1.Asn1 {
  return bag.key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key)) : bag.asn1;
}

function pem(label: string, der: string): string {
  const lines = forge.util.encode64(der, 64);
  return `-----BEGIN ${label}-----\n${lines.replaceAll('\r', '')}\n-----END ${label}-----\n`;
}
