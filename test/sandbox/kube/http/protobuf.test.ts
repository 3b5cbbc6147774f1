import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeProtobuf } from '../../../../sandbox/kube/http/protobuf.ts';
import { type Api, startApi } from '../api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** A minimal encoder: numbers become varints, text, bytes and nested fields length-delimited ones. */
type Field = readonly [number: number, value: number | string | Buffer | readonly Field[]];
const varint = (value: number): Buffer =>
  value < 0x80 ? Buffer.from([value]) : Buffer.concat([Buffer.from([(value & 0x7f) | 0x80]), varint(value >>> 7)]);
const encode = (fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
      const bytes = typeof value === 'string' || Buffer.isBuffer(value) ? Buffer.from(value) : encode(value);
      return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
    }),
  );
const envelope = (apiVersion: string, kind: string, message: readonly Field[]) =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    encode([
      [
        1,
        [
          [1, apiVersion],
          [2, kind],
        ],
      ],
      [2, encode(message)],
      [3, ''],
      [4, ''],
    ]),
  ]);
const type = 'application/vnd.kubernetes.protobuf';

test('strings, maps, bytes, lists, inlined and pointer members become their JSON', () => {
  const key = [
    [1, [[1, 'secret']]],
    [2, 'key'],
    [3, 0],
  ] as const;
  const container: Field[] = [
    [1, 'c'],
    [2, ''],
    [
      7,
      [
        [1, 'E'],
        [3, [[4, key]]],
      ],
    ],
    [
      8,
      [
        [
          2,
          [
            [1, 'cpu'],
            [2, [[1, '100m']]],
          ],
        ],
      ],
    ],
  ];
  const volume: Field[] = [
    [1, 'v'],
    [2, [[2, []]]],
  ];
  const port: Field[] = [
    [
      7,
      [
        [
          1,
          [
            [
              2,
              [
                [1, '/x'],
                [
                  2,
                  [
                    [1, 1],
                    [2, 0],
                    [3, 'http'],
                  ],
                ],
              ],
            ],
          ],
        ],
        [2, 0],
      ],
    ],
  ];
  const probed: Field[] = [
    [1, 'd'],
    [10, (port[0] as Field)[1]],
  ];
  const template: Field[] = [
    [
      2,
      [
        [1, volume],
        [2, container],
        [2, probed],
      ],
    ],
  ];
  const metadata: Field[] = [
    [1, 'd'],
    [8, []],
    [
      11,
      [
        [1, 'app'],
        [2, 'x'],
      ],
    ],
  ];
  const body = envelope('apps/v1', 'Deployment', [
    [1, metadata],
    [
      2,
      [
        [1, 0],
        [3, template],
        [4, []],
        [5, 0],
      ],
    ],
    [3, []],
  ]);
  expect(decodeProtobuf(body)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', labels: { app: 'x' } },
    spec: {
      replicas: 0,
      template: {
        spec: {
          volumes: [{ name: 'v', emptyDir: {} }],
          containers: [
            {
              name: 'c',
              env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'secret', key: 'key', optional: false } } }],
              resources: { requests: { cpu: '100m' } },
            },
            { name: 'd', livenessProbe: { httpGet: { path: '/x', port: 'http' } } },
          ],
        },
      },
    },
  });
});

test('times and secrets', () => {
  const data: Field[] = [
    [1, 'a'],
    [2, Buffer.from([0, 255])],
  ];
  expect(
    decodeProtobuf(
      envelope('v1', 'Secret', [
        [
          1,
          [
            [1, 's'],
            [8, [[1, 1_700_000_000]]],
          ],
        ],
        [2, data],
        [3, 'Opaque'],
      ]),
    ),
  ).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', creationTimestamp: '2023-11-14T22:13:20Z' },
    data: { a: 'AP8=' },
    type: 'Opaque',
  });
});

test('the API takes such a body and answers in JSON', async () => {
  const { code, body } = await api.post('/api/v1/namespaces', envelope('v1', 'Namespace', [[1, [[1, 'wire']]]]), {
    type,
  });
  expect([code, body['metadata'].name]).toEqual([201, 'wire']);
});

test.each([
  ['no magic number', Buffer.from('nothing')],
  ['a body that ends early', envelope('v1', 'Namespace', [[1, [[1, 'wire']]]]).subarray(0, -8)],
  ['a kind without a table', envelope('example.com/v1', 'Widget', [])],
])('%s is a bad request', async (_name, sent) => {
  const { code, body } = await api.post('/api/v1/namespaces', sent, { type });
  expect([code, body['reason']]).toEqual([400, 'BadRequest']);
});
