/** A document of the API server, as JSON. */
export interface Document {
  readonly metadata?: object;
  readonly items?: readonly unknown[];
}

/** What takes the place of the API server's answers of 200. A part that is missing lets those answers through. */
export interface WrongAnswer {
  readonly what: string;
  readonly list?: (answer: Document) => unknown;
  readonly get?: (answer: Document) => unknown;
  /** Whether only the first answer to each question is wrong. @default all are, until the fault ends */
  readonly once?: boolean;
  /**
   * How the watches end: with their connection, so that the programs read whether their positions are still there, or with
   * the code 410, so that they list again.
   */
  readonly watches: 'cut' | 'expired';
}

const always = (document: unknown) => ({ list: () => document, get: () => document });

/** Every form that a proxy, or an API server that starts, has answered with. */
export const wrongAnswers: readonly WrongAnswer[] = [
  { what: '{}', ...always({}), watches: 'expired' },
  { what: '[]', ...always([]), watches: 'cut' },
  {
    what: 'a Status with 200',
    ...always({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 200 }),
    watches: 'expired',
  },
  { what: 'items: null', list: (answer) => ({ ...answer, items: null }), watches: 'expired' },
  {
    what: 'a NodeList',
    list: ({ metadata }) => ({ kind: 'NodeList', apiVersion: 'v1', metadata, items: [] }),
    watches: 'cut',
  },
  {
    what: "another object's document",
    get: (answer) => ({ ...answer, metadata: { ...answer.metadata, name: 'another', uid: 'another' } }),
    watches: 'cut',
  },
  {
    what: 'half of a list missing once',
    list: (answer) => ({ ...answer, items: answer.items?.slice(Math.ceil(answer.items.length / 2)) }),
    once: true,
    watches: 'expired',
  },
];
