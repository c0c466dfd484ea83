import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { csvRecord } from '../../../../src/modules/pulse/responses/csv.js';
import {
  type ExportedResponse,
  type ExportFormat,
  exportResponses,
  withoutEmails,
} from '../../../../src/modules/pulse/responses/response-export.js';
import { question } from '../questions/question-examples.js';
import { FORMULAS } from './formulas.js';

const exporting = suite('export of responses');

const EMAIL = 'Ada.Lovelace+x@example.com';
const QUESTIONS = [
  question({ id: 'score', kind: 'nps', prompt: 'How likely, "really"?' }),
  question({ id: 'tags', kind: 'multiselect', options: ['a', 'b'] }),
  question({ id: 'why', kind: 'text' }),
];

function response(change: Partial<ExportedResponse> = {}): ExportedResponse {
  const at = new Date('2026-03-04T05:06:07.089Z');
  return {
    id: 'resp_1',
    surveyId: 'psv_1',
    surveyVersion: 2,
    environment: 'live',
    score: 9,
    submittedAt: at,
    createdAt: at,
    userId: 'u1',
    externalId: 'e1',
    email: EMAIL,
    distributionId: null,
    context: { release_version: '1.2.3', custom: 'x' },
    answers: new Map<string, number | string | string[]>([
      ['score', 9],
      ['tags', ['a', 'b']],
      ['why', 'line 1\nline 2'],
    ]),
    ...change,
  };
}

async function exported(format: ExportFormat, ...responses: ExportedResponse[]): Promise<string> {
  async function* batches() {
    for (const one of responses) yield [one];
  }
  let text = '';
  for await (const chunk of exportResponses(format, QUESTIONS, batches())) text += chunk;
  return text;
}

exporting('RFC 4180: CRLF, quotes doubled, commas and line breaks inside quotes, null is empty', () => {
  assert.is(
    csvRecord(['a', 1, true, null, 'x,y', 'say "hi"', 'a\nb', ' c']),
    'a,1,true,,"x,y","say ""hi""","a\nb"," c"\r\n',
  );
});

for (const text of FORMULAS) {
  exporting(`${JSON.stringify(text)} does not run as a formula`, () => {
    assert.match(csvRecord([text]), /^"?'/);
  });
}

exporting('numbers stay numbers, including negative ones', () => {
  assert.is(csvRecord([-3, '-3', '-3.5', 0]), '-3,-3,-3.5,0\r\n');
});

exporting('CSV has a column per question and a record per response', async () => {
  const text = await exported('csv', response(), response({ id: 'resp_2', answers: new Map(), score: null }));
  const [head, ...rows] = text.split('\r\n');
  assert.match(
    head ?? '',
    /^id,survey_id,.*,os_version,"How likely, ""really""\? \[score\]",A multiselect question \[tags\]/,
  );
  assert.match(rows[0] ?? '', /^resp_1,psv_1,2,live,9,2026-03-04T05:06:07\.089Z,.*,1\.2\.3,,,9,a; b,"line 1\nline 2"$/);
  assert.match(rows[1] ?? '', /^resp_2,psv_1,2,live,,.*,,,$/);
});

exporting('NDJSON has one complete object per line', async () => {
  const lines = (await exported('ndjson', response(), response({ id: 'resp_2' })))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.is(lines.length, 2);
  assert.equal(lines[0].respondent, { user_id: 'u1', external_id: 'e1', email: EMAIL });
  assert.equal(lines[0].answers, { score: 9, tags: ['a', 'b'], why: 'line 1\nline 2' });
});

exporting('an answer to a question called __proto__ is data', async () => {
  const answers = new Map([['__proto__', 'x']]);
  assert.match(await exported('ndjson', response({ answers })), /"answers":\{"__proto__":"x"\}/);
});

exporting('below Editor no field contains any form of the address', async () => {
  const leaky = response({
    userId: EMAIL,
    externalId: `mailto:${EMAIL}`,
    distributionId: EMAIL,
    context: { email: EMAIL, nested: [{ [EMAIL]: `<${EMAIL}>` }] },
    answers: new Map([['why', `write to ${EMAIL}, please`]]),
  });
  for (const format of ['csv', 'ndjson'] as const) {
    const text = await exported(format, withoutEmails(leaky));
    assert.not.match(text, /lovelace|example\.com/i);
    assert.match(text, /\[redacted\]/);
    assert.match(text, /write to \[redacted\], please/);
    assert.match(await exported(format, leaky), /Lovelace/);
  }
});

exporting('a response without an address does not get one', () => {
  assert.is(withoutEmails(response({ email: null })).email, null);
});

exporting.run();
