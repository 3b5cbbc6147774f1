import { expect, test } from '@jest/globals';
import { pemBlocks } from '../../../runtime/base/x509/pem.ts';

const block = (label: string, body = 'QQ==') => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;

test('the blocks of a text come in their order, with labels, whatever stands between them', () => {
  const text = `subject=/CN=a\n${block('CERTIFICATE')}\n\n${block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\n\nQg==')}x`;
  expect([...pemBlocks(text)]).toEqual([
    { label: 'CERTIFICATE', block: block('CERTIFICATE') },
    { label: 'RSA PRIVATE KEY', block: block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\n\nQg==') },
  ]);
});

test('a BEGIN without its own END is no block and hides no later block', () => {
  const text = `-----BEGIN CERTIFICATE-----\nQQ==\n${block('CERTIFICATE', 'Qg==')}\n-----BEGIN X-----\n-----END Y-----`;
  expect([...pemBlocks(text)]).toEqual([{ label: 'CERTIFICATE', block: block('CERTIFICATE', 'Qg==') }]);
  expect([...pemBlocks('-----BEGIN CERTIFICATE----------END CERTIFICATE-----')]).toEqual([]);
});

test('a megabyte of BEGINs without an end is read in one pass', () => {
  let labels = '';
  for (let index = 0; labels.length < 1_000_000; index++)
    labels += `-----BEGIN ${index.toString(36).toUpperCase()}-----\n`;
  expect([...pemBlocks(labels)]).toEqual([]);
});
