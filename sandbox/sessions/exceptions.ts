import type { RecordedRequest } from './session.ts';

interface Exception {
  readonly reason: string;
  /** The sandbox's error code for a request that old Azure let pass. */
  readonly code: string;
}

/** What Azure has changed since the sessions were recorded. */
const exceptions: readonly Exception[] = [
  { code: 'PublicAccessNotPermitted', reason: 'new storage accounts refuse public access to blobs by default' },
];

/** Whether today's Azure refuses what the recorded one let pass. */
export const isException = ({ status }: RecordedRequest, code: string): boolean =>
  status < 300 && exceptions.some((exception) => exception.code.toLowerCase() === code);
