/** The cases of the facts about flags and modes. */
import { expect, test } from '@jest/globals';
import { nmiConfig, retiredFlags, settings } from '../../../runtime/nmi/config/config.ts';
import { isKubenet } from '../../../runtime/nmi/config/kubenet.ts';

test.each([
  ['KUBELET_FLAGS=--max-pods=110 --network-plugin=cni --x', false],
  ['', false],
  ['KUBELET_FLAGS=--network-plugin=kubenet --x', true],
])('kubenet_detection: %j is kubenet: %s', (text, kubenet) => {
  expect(isKubenet(text)).toBe(kubenet);
});

test('operation_mode: case does not matter, managed needs forceNamespaced', () => {
  const config = (...args: string[]) => nmiConfig(['--node=n', ...args], {});
  expect(config('--operation-mode=STANDARD')).toMatchObject({ mode: 'standard' });
  expect(() => config('--operation-mode=managed')).toThrow('managed mode not intialized in force namespaced mode');
  expect(config('--operation-mode=managed', '--forceNamespaced')).toMatchObject({ mode: 'managed' });
  expect(nmiConfig(['--node=n', '--operation-mode=managed'], { FORCENAMESPACED: 'true' })).toMatchObject({
    mode: 'managed',
  });
  expect(() => config('--operation-mode=other')).toThrow('standard, managed');
});

test('flags_nmi: upstream flags keep their defaults, or are accepted without effect', () => {
  const upstream: Record<string, string> = {
    'nmi-listen-address': '127.0.0.1',
    'nmi-port': '2579',
    'metadata-ip': '169.254.169.254',
    'metadata-port': '80',
    node: '',
    'ipt-update-interval-sec': '60',
    forceNamespaced: 'false',
    'retry-attempts-for-created': '16',
    'retry-attempts-for-assigned': '4',
    'find-identity-retry-interval': '5',
    enableScaleFeatures: 'true',
    'block-instance-metadata': 'false',
    'metadata-header-required': 'true',
    'operation-mode': 'standard',
    'allow-network-plugin-kubenet': 'false',
    'kubelet-config': '/etc/default/kubelet',
    'set-retry-after-header': 'false',
  };
  const ours = Object.fromEntries(Object.values(settings).map(({ flag, default: value }) => [flag, value]));
  expect(ours).toMatchObject(upstream);
  // The probe of upstream's manifests, not of its code; connections older than the rules are always ended.
  expect(ours).toMatchObject({ 'health-port': '8085', 'enable-conntrack-deletion': 'true' });
  expect(Object.keys(retiredFlags)).toEqual(
    expect.arrayContaining(['MICNamespace', 'enableProfile', 'prometheus-port', 'log-format', 'custom-user-agent']),
  );
  const args = ['--node=n', '--MICNamespace=x', '--enableProfile', '--http-probe-port=1', '--metadata-header-required'];
  expect(nmiConfig(args, {})).toMatchObject({ healthPort: 1, retired: ['MICNamespace', 'enableProfile'] });
  // As the chart wrote the verbosity of the log.
  expect(nmiConfig(['--node=n', '-v=9', '--logtostderr'], {})).toMatchObject({ retired: ['logtostderr', 'v'] });
  const klog = [
    '-alsologtostderr',
    '--stderrthreshold=INFO',
    '-log_dir',
    '/var/log',
    '--vmodule=nmi=4',
    '--skip_headers',
  ];
  expect(nmiConfig(['--node=n', ...klog], {})).toMatchObject({
    retired: ['alsologtostderr', 'log_dir', 'skip_headers', 'stderrthreshold', 'vmodule'],
  });
  expect(() => nmiConfig(['--node=n', '--log-dir=/var/log'], {})).toThrow('unknown flag --log-dir');
});
