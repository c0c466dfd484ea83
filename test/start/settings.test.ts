import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { doubtfulSettings, misspeltSettings, readEnv, SettingError } from '../../src/env.js';

const settings = suite('settings');

for (const name of ['WEBHOOK_ALLOWED_NETWORKS', 'TRUSTED_PROXIES']) {
  settings(`${name} rejects an invalid network with a message that names the entry`, () => {
    for (const entry of [
      '10.1',
      '10.1/8',
      '0x7f.1',
      '1',
      '010.0.0.1',
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'fe80::1%eth0',
      'localhost',
    ]) {
      assert.throws(
        () => readEnv({ [name]: `192.168.0.0/16, ${entry}` }),
        (error: unknown) =>
          error instanceof SettingError && error.message.startsWith(name) && error.message.includes(`"${entry}"`),
        entry,
      );
    }
  });

  settings(`${name} accepts IPv4 and IPv6 addresses and ranges`, () => {
    const text = '10.0.0.0/8, 192.168.1.7,fd12:3456::/32 , ::1,';
    const { webhookAllowedNetworks, trustedProxies } = readEnv({ [name]: text });
    assert.equal(name === 'TRUSTED_PROXIES' ? trustedProxies : webhookAllowedNetworks, [
      '10.0.0.0/8',
      '192.168.1.7',
      'fd12:3456::/32',
      '::1',
    ]);
  });
}

settings('a server behind HTTPS whose proxy is not trusted is pointed out', () => {
  const doubts = (source: Record<string, string>) => doubtfulSettings(readEnv(source)).join();
  assert.match(
    doubts({ PUBLIC_URL: 'https://deck.example.com' }),
    /Set TRUSTED_PROXIES to the address of the proxy\.$/,
  );
  assert.is(doubts({ PUBLIC_URL: 'https://deck.example.com', TRUSTED_PROXIES: '127.0.0.1' }), '');
  assert.is(doubts({ PUBLIC_URL: 'http://deck.example.com/' }), '');
  assert.match(
    doubts({ PUBLIC_URL: 'http://deck.example.com/base/' }),
    /^PUBLIC_URL has the path \/base, but .* Give the server a host name of its own instead of a path on deck\.example\.com\.$/,
  );
  assert.is(doubts({}), '');
});

settings('OPERATORS is a list of email addresses in any case', () => {
  assert.equal(readEnv({ OPERATORS: 'Ada@Example.com, , bob@example.com ' }).operators, [
    'ada@example.com',
    'bob@example.com',
  ]);
  assert.throws(
    () => readEnv({ OPERATORS: 'ada@example.com,bob' }),
    /OPERATORS must be a comma-separated list of email addresses; "bob" is not one/,
  );
});

settings('every numeric setting must be written in plain decimal digits', () => {
  for (const name of ['PORT', 'PROBE_PORT', 'DATABASE_POOL', 'GRAPHQL_COST_PER_SECOND']) {
    for (const text of ['1e2', '0x50', '0b11', '+80', '8_0', '80.0', '-1', '٨٠', 'Infinity', '9'.repeat(400)])
      assert.throws(
        () => readEnv({ [name]: text }),
        (error: unknown) =>
          error instanceof SettingError &&
          error.message.startsWith(`${name} must be a whole number from `) &&
          error.message.endsWith(` in plain digits, not ${JSON.stringify(text)}.`),
        text,
      );
  }
  assert.is(readEnv({ PORT: '8080' }).port, 8080);
  assert.is(readEnv({ PORT: ' 8080\r' }).port, 8080);
  assert.is(readEnv({ PORT: '' }).port, 4000);
});

settings('the share of traces is a number from 0 to 1', () => {
  for (const share of ['abc', '-0.1', '1.1', 'NaN', '1e-1', '0x1'])
    assert.throws(
      () => readEnv({ OTEL_TRACES_SAMPLER_ARG: share }),
      /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/,
    );
  assert.is(readEnv({ OTEL_TRACES_SAMPLER_ARG: '0.25' }).otelSamplerArg, 0.25);
  assert.is(readEnv({ OTEL_TRACES_SAMPLER_ARG: '.5' }).otelSamplerArg, 0.5);
  assert.is(readEnv({ OTEL_TRACES_SAMPLER_ARG: ' ' }).otelSamplerArg, 1);
});

settings(
  'an invalid URL and a URL of the wrong kind get different messages, and neither message shows the value',
  () => {
    for (const [name, value, says] of [
      ['DATABASE_URL', 'mysql://ada:hidden@host/name', /^DATABASE_URL must be a URL that begins with postgres:\/\//],
      ['DATABASE_URL', 'postgres://ada:hid#den@host/name', /^DATABASE_URL is not a valid URL: .*%23/],
      ['DATABASE_URL', 'postgres://ada:1#hidden@host/name', /^DATABASE_URL is not a valid URL: .*%23/],
      ['REDIS_URL', 'redis://:hid/den@host', /^REDIS_URL is not a valid URL: /],
      ['CLICKHOUSE_URL', 'https://', /^CLICKHOUSE_URL is not a valid URL: it needs a host/],
      ['PUBLIC_URL', 'https://ada:hidden@example.com', /^PUBLIC_URL must be a URL without user, password and query/],
      ['PUBLIC_URL', 'https://example.com/?hidden', /^PUBLIC_URL must be a URL without user, password and query/],
      ['PUBLIC_URL', 'https://example.com/#hidden', /^PUBLIC_URL is not a valid URL/],
    ] as const) {
      assert.throws(
        () => readEnv({ [name]: value }),
        (error: unknown) => error instanceof SettingError && says.test(error.message) && !/hid/.test(error.message),
        value,
      );
    }
    assert.is(readEnv({ PUBLIC_URL: 'https://example.com/base//' }).publicUrl, 'https://example.com/base');
    assert.is(
      readEnv({ DATABASE_URL: 'postgres://ada:a%23b@host/name' }).databaseUrl,
      'postgres://ada:a%23b@host/name',
    );
  },
);

settings('tracing pairs must be well-formed, and secrets long enough', () => {
  for (const name of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES']) {
    for (const text of ['a=1,Bearer hidden', 'a=1,=hidden'])
      assert.throws(
        () => readEnv({ [name]: text }),
        new RegExp(`^${name} must be a comma-separated list of name=value(?:; | .*; )entry 2 is not`),
      );
    assert.not.throws(() => readEnv({ [name]: 'a=, b=c=d ,' }));
  }
  assert.throws(
    () => readEnv({ JWT_PREVIOUS_SECRETS: `${'a'.repeat(32)},short` }),
    /^Each of JWT_PREVIOUS_SECRETS must have 32 characters or more, not 5\.$/,
  );
});

settings('what callers or the server send in a header can be sent in one', () => {
  for (const text of ['a=1,x key=hidden', 'a=1,x-key=höher'])
    assert.throws(
      () => readEnv({ OTEL_EXPORTER_OTLP_HEADERS: text }),
      /^OTEL_EXPORTER_OTLP_HEADERS must be .* that HTTP headers can carry; entry 2 is not\.$/,
    );
  assert.throws(() => readEnv({ METRICS_TOKEN: 'höher' }), /^METRICS_TOKEN must consist of ASCII [^ö]*$/);
  assert.is(readEnv({ METRICS_TOKEN: 'a b' }).metricsToken, 'a b');
});

settings('incomplete pairs of settings are rejected, naming the missing one', () => {
  const S3_ENDPOINT = 'http://127.0.0.1:9';
  const [S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_BUCKET] = ['hidden', 'hidden', 'objects'];
  for (const [missing, given] of [
    ['S3_SECRET_ACCESS_KEY', { S3_ENDPOINT, S3_ACCESS_KEY_ID }],
    ['S3_SECRET_ACCESS_KEY', { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: ' ' }],
    ['S3_ACCESS_KEY_ID', { S3_ENDPOINT, S3_SECRET_ACCESS_KEY }],
    ['S3_ENDPOINT', { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }],
    ['S3_ENDPOINT', { S3_BUCKET }],
    ['S3_ENDPOINT', { S3_REGION: 'eu-central-1' }],
    ['S3_ENDPOINT', { S3_PUBLIC_ENDPOINT: S3_ENDPOINT }],
    ['CLICKHOUSE_URL', { CLICKHOUSE_USER: 'hidden' }],
    ['CLICKHOUSE_URL', { CLICKHOUSE_PASSWORD: 'hidden' }],
    ['CLICKHOUSE_URL', { CLICKHOUSE_DATABASE: 'hidden' }],
    ['JWKS_ISSUER', { JWKS_URL: 'https://issuer.example/keys' }],
    ['JWKS_URL', { JWKS_ISSUER: 'https://issuer.example' }],
  ] as const)
    assert.throws(
      () => readEnv(given),
      (error: unknown) =>
        error instanceof SettingError &&
        error.message.startsWith(`${missing} is missing: `) &&
        !error.message.includes('hidden'),
      JSON.stringify(given),
    );
  for (const whole of [{ S3_ENDPOINT }, { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }])
    assert.is(readEnv(whole).s3Endpoint, S3_ENDPOINT);
});

settings('a misspelled name is reported with the intended setting', () => {
  for (const [given, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DTAABASE_URL', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['PUBLIC_URLL', 'PUBLIC_URL'],
    ['PROT', 'PORT'],
    ['PROB_PORT', 'PROBE_PORT'],
    ['QUARTERDECK_PORT', 'PORT'],
    ['QUARTERDECK_DATABSE_URL', 'DATABASE_URL'],
  ] as const)
    assert.equal(misspeltSettings({ PATH: '/bin', [given]: '80', [meant]: '' }), [[given, meant]]);
  assert.equal(misspeltSettings({ DATABASE_URI: 'x', DATABASE_URL: 'postgres://ada@host/name' }), []);
});

settings(
  'names that other programs, CI and Kubernetes put into the environment are not taken for misspelled settings',
  () => {
    const usual = [
      'PATH HOME USER LOGNAME SHELL SHLVL PWD OLDPWD TERM LANG LC_ALL TZ MAIL EDITOR HOSTNAME HOSTTYPE OSTYPE UID TMPDIR _',
      'NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS NPM_CONFIG_LOGLEVEL npm_lifecycle_event npm_config_cache INIT_CWD',
      'PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE POSTGRES_USER POSTGRES_DB DATABASE_HOST DATABASE_PORT DATABASE_NAME DATABASE_USER',
      'REDIS_HOST REDIS_PORT REDIS_PASSWORD AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY CLICKHOUSE_DB CLICKHOUSE_HOST',
      'CI GITHUB_ACTIONS GITHUB_TOKEN RUNNER_OS GITLAB_CI CI_COMMIT_SHA JENKINS_URL BUILD_URL DYNO INVOCATION_ID JOURNAL_STREAM',
      'OTEL_TRACES_EXPORTER OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_EXPORTER_OTLP_PROTOCOL OTEL_PROPAGATORS OTEL_EXPORTER_OTLP_TRACES_HEADERS',
      'QUARTERDECK_URL QUARTERDECK_TOKEN QUARTERDECK_RELEASE QUARTERDECK_KEY QUARTERDECK_CLI HTTP_PROXY HTTPS_PROXY NO_PROXY SSL_CERT_FILE',
      'QUARTERDECK_SERVICE_HOST QUARTERDECK_SERVICE_PORT QUARTERDECK_SERVICE_PORT_HTTP QUARTERDECK_PORT_4000_TCP QUARTERDECK_PORT_4000_TCP_PORT',
      'QUARTERDECK_PORT PROB_PORT KUBERNETES_PORT KUBERNETES_SERVICE_HOST HOST_SERVICE_HOST',
    ];
    const names = usual.flatMap((line) => line.split(' '));
    assert.equal(misspeltSettings(Object.fromEntries(names.map((name) => [name, 'tcp://10.0.0.1:80']))), []);
  },
);

settings.run();
