/** A right that an operation needs, in the words of each kind of caller. */
export interface Need {
  /** Letters of a shared access signature; one of them is enough. */
  readonly sas: string;
  /** Which resource types of an account's signature it needs. */
  readonly level: 's' | 'c' | 'o';
  /** Right of a role below `Microsoft.Storage/storageAccounts/`. */
  readonly right: string;
  readonly plane: 'actions' | 'dataActions';
  /** Public access level that allows this without credentials. */
  readonly open?: 'Blob' | 'Container';
}

const containers = 'blobServices/containers';
const queues = 'queueServices/queues';
const action = (level: Need['level'], sas: string, right: string): Need => ({ level, sas, right, plane: 'actions' });
const data = (level: Need['level'], sas: string, right: string, open?: Need['open']): Need => ({
  level,
  sas,
  right,
  plane: 'dataActions',
  ...(open ? { open } : {}),
});

/** By operation. */
export const needs = {
  serviceRead: action('s', 'r', 'blobServices/read'),
  listContainers: action('s', 'l', `${containers}/read`),
  delegationKey: action('s', '', 'blobServices/generateUserDelegationKey/action'),
  readContainer: { ...action('c', 'r', `${containers}/read`), open: 'Container' },
  writeContainer: action('c', 'cw', `${containers}/write`),
  deleteContainer: action('c', 'd', `${containers}/delete`),
  listBlobs: data('c', 'l', `${containers}/blobs/read`, 'Container'),
  readBlob: data('o', 'r', `${containers}/blobs/read`, 'Blob'),
  createBlob: data('o', 'cw', `${containers}/blobs/write`),
  writeBlob: data('o', 'w', `${containers}/blobs/write`),
  appendBlob: data('o', 'aw', `${containers}/blobs/write`),
  deleteBlob: data('o', 'd', `${containers}/blobs/delete`),
  queueService: action('s', 'r', 'queueServices/read'),
  listQueues: action('s', 'l', `${queues}/read`),
  readQueue: action('c', 'r', `${queues}/read`),
  writeQueue: action('c', 'cw', `${queues}/write`),
  deleteQueue: action('c', 'd', `${queues}/delete`),
  addMessage: data('o', 'a', `${queues}/messages/add/action`),
  peekMessages: data('o', 'r', `${queues}/messages/read`),
  takeMessages: data('o', 'p', `${queues}/messages/process/action`),
  updateMessage: data('o', 'u', `${queues}/messages/write`),
  deleteMessage: data('o', 'p', `${queues}/messages/process/action`),
  clearMessages: data('o', 'd', `${queues}/messages/delete`),
} as const satisfies Record<string, Need>;
