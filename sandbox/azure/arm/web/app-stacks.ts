import type { Json } from '../../json.ts';

/** A version of a language: its name, and the names that an app gives it on Linux and on Windows. */
type Version = readonly [text: string, linux: string | undefined, windows: string | undefined];

interface Language {
  readonly value: string;
  readonly text: string;
  readonly system: 'linux' | 'windows';
  readonly versions: readonly Version[];
}

/** The languages that lists name. Apps may have any other. */
const languages: readonly Language[] = [
  {
    ...{ value: 'dotnet', text: '.NET', system: 'windows' },
    versions: [
      ['.NET 10 (LTS)', 'DOTNETCORE|10.0', 'v10.0'],
      ['.NET 9 (STS)', 'DOTNETCORE|9.0', 'v9.0'],
      ['.NET 8 (LTS)', 'DOTNETCORE|8.0', 'v8.0'],
    ],
  },
  {
    ...{ value: 'aspnet', text: '.NET Framework', system: 'windows' },
    versions: [['ASP.NET V4.8', undefined, 'v4.0']],
  },
  {
    ...{ value: 'node', text: 'Node', system: 'linux' },
    versions: [
      ['Node 24 LTS', 'NODE|24-lts', '~24'],
      ['Node 22 LTS', 'NODE|22-lts', '~22'],
      ['Node 20 LTS', 'NODE|20-lts', '~20'],
    ],
  },
  {
    ...{ value: 'python', text: 'Python', system: 'linux' },
    versions: [
      ['Python 3.14', 'PYTHON|3.14', undefined],
      ['Python 3.13', 'PYTHON|3.13', undefined],
      ['Python 3.12', 'PYTHON|3.12', undefined],
      ['Python 3.11', 'PYTHON|3.11', undefined],
    ],
  },
  {
    ...{ value: 'php', text: 'PHP', system: 'linux' },
    versions: [
      ['PHP 8.4', 'PHP|8.4', undefined],
      ['PHP 8.3', 'PHP|8.3', undefined],
    ],
  },
];

const settings = (runtimeVersion: string, version: string): Json => ({
  runtimeVersion,
  remoteDebuggingSupported: false,
  appInsightsSettings: { isSupported: true, isDefaultOff: true },
  gitHubActionSettings: { isSupported: true, supportedVersion: version },
  supportedFeatures: { disableSsh: true },
});

function majorVersion([displayText, linux, windows]: Version): Json {
  const [, value = ''] = /(\d[\d.]*)/.exec(displayText) ?? [];
  const stackSettings = {
    ...(linux && { linuxRuntimeSettings: settings(linux, value) }),
    ...(windows && { windowsRuntimeSettings: settings(windows, value) }),
  };
  return { displayText, value, minorVersions: [{ displayText, value, stackSettings }] };
}

/** `webAppStacks` of Microsoft.Web: the languages of apps; `os` chooses those of `Linux` or `Windows`. */
export function webAppStacks(os: string | null): Json[] {
  const member = os?.toLowerCase() === 'windows' ? 2 : 1;
  return languages.flatMap(({ value, text, system, versions }) => {
    const shown = versions.filter((version) => os === null || version[member] !== undefined);
    if (shown.length === 0) return [];
    const properties = { displayText: text, value, preferredOs: system, majorVersions: shown.map(majorVersion) };
    return [{ id: null, name: value, type: 'Microsoft.Web/webAppStacks', properties }];
  });
}
