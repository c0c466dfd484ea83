import { type GraphQLObjectType, getNamedType, isCompositeType, isObjectType, isRequiredArgument } from 'graphql';
import * as assert from 'uvu/assert';
import { appSuite } from '../../support/factories/world-suite.js';

/** Ids without a corresponding object, and why. */
const ALONE: Record<string, string> = {
  'AnalyticsEvent.distinctId': 'an id of the client; `person` is who it stands for',
  'AuditEntry.objectId': 'of every type there is, also of what is gone',
  'AuditEntry.requestId': 'of a request, which is in the log',
  'CrashEvent.distinctId': 'an id of the client; `person` is who it stands for',
  'MissingSymbols.debugId': 'of a file that nobody uploaded',
  'PersonMerge.aliasId': 'an id of the client, of the person around it',
  'PersonMerge.distinctId': 'an id of the client, of the person around it',
  'SurveyRespondent.externalId': 'an id of the client; `person` of the response is who it stands for',
  'SurveyRespondent.userId': 'an id of the client; `person` of the response is who it stands for',
  'SymbolArtifact.debugId': 'of a build of a script',
};

/** A subscription's change carries the object under the object's own name. */
const OF_CHANGES = /^(?:\w+Change|AlertFired)\.objectId$/;

const ids = appSuite<{ types: GraphQLObjectType[] }>('ids in the graph');

ids.before(async (context) => {
  const { schema } = context.test.app;
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  context.types = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !roots.has(type) && !type.name.startsWith('__'));
});

ids('come with the objects they refer to', ({ types }) => {
  const alone = types.flatMap((type) => {
    const fields = type.getFields();
    return Object.keys(fields)
      .filter((name) => /[a-z]Id$/.test(name) && !isCompositeType(getNamedType(fields[name.slice(0, -2)]?.type)))
      .map((name) => `${type.name}.${name}`);
  });
  assert.equal(alone.filter((name) => !OF_CHANGES.test(name)).sort(), Object.keys(ALONE).sort());
});

/** Types that are no nodes: their ids are not unique, they live for a day, or they report what became of an object. */
const NO_NODE = /^(?:SurveyQuestion|SurveyTheme|SymbolUploadProgress|Deleted\w+|\w+BulkAnswer)$/;

ids('make their types nodes, which caches identify by type and id', ({ types }) => {
  const bare = types
    .filter(
      (type) =>
        type.getFields().id && !NO_NODE.test(type.name) && type.getInterfaces().every(({ name }) => name !== 'Node'),
    )
    .map(({ name }) => name);
  assert.equal(bare, []);
});

/** Nodes that are found through the object they are part of, and why. */
const PARTS: Record<string, string> = {
  ConfigRule: 'stands and falls with its item',
  PersonMerge: 'tells ids that only the page of the person shows',
};

ids('alone find their nodes', ({ test, types }) => {
  const roots = Object.values(test.app.schema.getQueryType()?.getFields() ?? {}).filter(({ args }) =>
    args.every((arg) => arg.name === 'id' || !isRequiredArgument(arg)),
  );
  const found = new Set(
    roots.filter(({ args }) => args.some(({ name }) => name === 'id')).map(({ type }) => getNamedType(type).name),
  );
  const lost = types
    .filter((type) => type.getInterfaces().some(({ name }) => name === 'Node') && !found.has(type.name))
    .map(({ name }) => name);
  assert.equal(lost.sort(), Object.keys(PARTS).sort());
});

ids('appear in lists that can be reversed and are counted', ({ types }) => {
  const oneWay = types.flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => getNamedType(field.type).name.endsWith('Connection'))
      .filter(
        ({ args }) => !['first', 'after', 'last', 'before'].every((name) => args.some((arg) => arg.name === name)),
      )
      .map(({ name }) => `${type.name}.${name}`),
  );
  assert.equal(oneWay, []);
});

ids.run();
