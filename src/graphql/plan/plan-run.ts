import { inspect } from 'node:util';
import {
  defaultFieldResolver,
  type ExecutionResult,
  GraphQLError,
  type GraphQLResolveInfo,
  getArgumentValues,
  getVariableValues,
  locatedError,
  type ResponsePath,
  responsePathAsArray,
} from 'graphql';
import { type AnswerForm, AS_OBJECTS, AS_TEXT } from './answer-forms.js';
import type { PlannedField, PlannedValue, QueryPlan } from './query-plan.js';

type Path = ResponsePath | undefined;
type Answer = Record<string, unknown>;
type PlannedLeaf = Extract<PlannedValue, { kind: 'leaf' }>;

/** Like graphql-js, reports no more wrong variables than this. */
const MOST_VARIABLE_ERRORS = 50;

/** An operation's result, with its data as JSON. */
export interface WrittenResult {
  readonly errors?: readonly GraphQLError[];
  /** Absent when the operation could not begin. */
  readonly data?: string;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Executes a plan as graphql-js executes the query: the same data, errors, paths and null propagation. Fields of one object are resolved
 * together; synchronous resolvers cost no promise.
 */
export function runPlan(plan: QueryPlan, context: unknown, given: Given): ExecutionResult | Promise<ExecutionResult> {
  return run(plan, context, given, AS_OBJECTS) as ExecutionResult | Promise<ExecutionResult>;
}

/** Like {@link runPlan}, with the text that `JSON.stringify` would make of the data. */
export function writePlan(plan: QueryPlan, context: unknown, given: Given): WrittenResult | Promise<WrittenResult> {
  return run(plan, context, given, AS_TEXT) as WrittenResult | Promise<WrittenResult>;
}

function run(plan: QueryPlan, context: unknown, given: Given, form: AnswerForm): object | Promise<object> {
  const variables = getVariableValues(plan.schema, plan.operation.variableDefinitions ?? [], given, {
    maxErrors: MOST_VARIABLE_ERRORS,
  });
  if (variables.errors) return { errors: variables.errors };
  const running = new PlanRun(plan, context, variables.coerced, form);
  try {
    const answer = running.fields(plan.fields, undefined, undefined);
    if (!isPromise(answer)) return running.result(answer);
    return answer.then(
      (data) => running.result(data),
      (error: GraphQLError) => running.failed(error),
    );
  } catch (error) {
    return running.failed(error as GraphQLError);
  }
}

class PlanRun {
  private readonly errors: GraphQLError[] = [];
  private readonly nulled = new Set<Path>();
  /** Arguments with variables but no objects, by field: the same for every item of a list. */
  private readonly knownArguments = new Map<PlannedField, Answer>();

  constructor(
    private readonly plan: QueryPlan,
    private readonly context: unknown,
    private readonly variables: Answer,
    private readonly form: AnswerForm,
  ) {}

  result(data: unknown): object {
    return this.errors.length === 0 ? { data } : { errors: this.errors, data };
  }

  /** The result when a non-null field of the query itself is null. */
  failed(error: GraphQLError): object {
    this.record(error, undefined);
    return this.result(this.form.none);
  }

  fields(fields: readonly PlannedField[], source: unknown, path: Path): unknown {
    const values: unknown[] = [];
    let isLate = false;
    try {
      for (const field of fields) {
        const value = this.field(field, source, path);
        values.push(value);
        isLate ||= isPromise(value);
      }
    } catch (error) {
      if (!isLate) throw error;
      // Takes as many steps as graphql-js, since which of several errors is reported depends on them.
      return this.late(fields, values).finally(() => {
        throw error;
      });
    }
    return isLate ? this.late(fields, values) : this.form.object(fields, values);
  }

  private late(fields: readonly PlannedField[], values: readonly unknown[]): Promise<unknown> {
    return Promise.all(values).then((completed) => this.form.object(fields, completed));
  }

  private field(field: PlannedField, source: unknown, parent: Path): unknown {
    const { value: planned } = field;
    if (planned.kind === 'name') return this.form.leaf(planned.text);
    if (field.resolve) return this.resolved(field, field.resolve, source, parent);
    let value: unknown;
    try {
      value = propertyOf(source, field.name);
    } catch (error) {
      return this.failure(field, planned, pathTo(field, parent), error);
    }
    if (planned.kind === 'leaf' && planned.isPlain(value)) return this.form.leaf(value);
    if (typeof value === 'function') return this.resolved(field, defaultFieldResolver, source, parent);
    if (planned.kind === 'leaf') return this.leaf(field, planned, parent, value);
    return this.settled(field, planned, pathTo(field, parent), value);
  }

  private resolved(
    field: PlannedField,
    resolve: NonNullable<PlannedField['resolve']>,
    source: unknown,
    parent: Path,
  ): unknown {
    const path = pathTo(field, parent);
    let value: unknown;
    try {
      value = resolve(source, this.argumentsOf(field), this.context, this.infoOf(field, path));
    } catch (error) {
      return this.failure(field, field.value, path, error);
    }
    return this.settled(field, field.value, path, value);
  }

  /** Completes a leaf property, the most common case: a path is created only for values that fail or arrive later. */
  private leaf(field: PlannedField, planned: PlannedValue, parent: Path, value: unknown): unknown {
    try {
      if (!isPromise(value)) return this.completed(field, planned, undefined, value);
    } catch (error) {
      return this.failure(field, planned, pathTo(field, parent), error);
    }
    return this.settled(field, planned, pathTo(field, parent), value);
  }

  /** Completes a value, now or when it resolves; a failure ends here unless null isn't allowed in this place. */
  private settled(field: PlannedField, planned: PlannedValue, path: Path, value: unknown): unknown {
    try {
      const completed = isPromise(value)
        ? value.then((later) => this.completed(field, planned, path, later))
        : this.completed(field, planned, path, value);
      if (!isPromise(completed)) return completed;
      const formed = planned.kind === 'list' ? this.form.lateList : undefined;
      return completed.then(formed, (error: unknown) => this.failure(field, planned, path, error));
    } catch (error) {
      return this.failure(field, planned, path, error);
    }
  }

  private completed(field: PlannedField, planned: PlannedValue, path: Path, value: unknown): unknown {
    if (value instanceof Error) throw value;
    if (value !== null && value !== undefined) {
      if (planned.kind === 'object') return this.fields(planned.fields, value, path);
      if (planned.kind === 'list') return this.list(field, planned.item, path, value);
      if (planned.kind === 'leaf') return this.form.leaf(planned.isPlain(value) ? value : serialized(planned, value));
    }
    if (!planned.nonNull) return this.form.none;
    throw new Error(`Cannot return null for non-nullable field ${field.parentType.name}.${field.name}.`);
  }

  private list(field: PlannedField, planned: PlannedValue, path: Path, value: unknown): unknown {
    if (!isIterable(value))
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${field.parentType.name}.${field.name}".`,
      );
    const items: unknown[] = [];
    let isLate = false;
    try {
      for (const item of value) {
        const completed = this.item(field, planned, path, items.length, item);
        isLate ||= isPromise(completed);
        items.push(completed);
      }
    } catch (error) {
      // The list has failed; rejections of its other items must not end the process as unhandled.
      for (const item of [...items, ...value]) if (isPromise(item)) item.then(undefined, () => undefined);
      throw error;
    }
    return isLate ? Promise.all(items) : this.form.list(items);
  }

  private item(field: PlannedField, planned: PlannedValue, list: Path, key: number, item: unknown): unknown {
    if (planned.kind === 'leaf' && planned.isPlain(item)) return this.form.leaf(item);
    return this.settled(field, planned, { prev: list, key, typename: undefined }, item);
  }

  private failure(field: PlannedField, planned: PlannedValue, path: Path, raw: unknown): unknown {
    const error = locatedError(raw, field.nodes, path && responsePathAsArray(path));
    if (planned.nonNull) throw error;
    this.record(error, path);
    return this.form.none;
  }

  /** Keeps an error, unless its field has already been nulled by another one. */
  private record(error: GraphQLError, path: Path): void {
    for (let at = path; at; at = at.prev) if (this.nulled.has(at)) return;
    if (this.nulled.has(undefined)) return;
    this.nulled.add(path);
    this.errors.push(error);
  }

  private argumentsOf(field: PlannedField): Answer {
    const known = field.constants ?? this.knownArguments.get(field);
    if (known) return { ...known };
    const values = getArgumentValues(field.definition, field.nodes[0] as PlannedField['nodes'][0], this.variables);
    if (Object.values(values).every((value) => typeof value !== 'object' || value === null))
      this.knownArguments.set(field, { ...values });
    return values;
  }

  private infoOf(field: PlannedField, path: ResponsePath): GraphQLResolveInfo {
    const { schema, fragments, operation } = this.plan;
    return {
      fieldName: field.name,
      fieldNodes: field.nodes,
      returnType: field.definition.type,
      parentType: field.parentType,
      path,
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues: this.variables,
    };
  }
}

function pathTo(field: PlannedField, prev: Path): ResponsePath {
  return { prev, key: field.responseName, typename: field.parentType.name };
}

function propertyOf(source: unknown, name: string): unknown {
  return (typeof source === 'object' && source !== null) || typeof source === 'function'
    ? (source as Answer)[name]
    : undefined;
}

function serialized({ type, serialize }: PlannedLeaf, value: unknown): unknown {
  const text = serialize(value);
  if (text === null || text === undefined)
    throw new Error(`Expected \`${type.name}.serialize(${inspect(value)})\` to return non-nullable value.`);
  return text;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'object' && typeof (value as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] === 'function'
  );
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
