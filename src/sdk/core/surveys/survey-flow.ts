import type { Json } from '../json.js';
import { branches } from './branching-predicate.js';
import type { Answers, Question, SurveyBundle } from './survey-bundle.js';

/** The current question, the answers so far, and where they lead. */
export class SurveyFlow {
  private readonly questions: readonly Question[];
  private answers: Record<string, Json>;
  /** The questions up to here, the current one last. */
  private path: Question[];

  /** Resumes where the person stopped if the bundle says so. */
  constructor(private readonly bundle: SurveyBundle) {
    this.questions = [...bundle.questions].sort((one, other) => one.order_index - other.order_index);
    const { answers = {}, current_question_id: stoppedAt = null } = bundle.partial ?? {};
    this.answers = { ...answers };
    this.path = this.questions.slice(0, 1);
    while (stoppedAt !== null && this.current.id !== stoppedAt && this.following()) this.advance();
    if (stoppedAt !== null && this.current.id !== stoppedAt) this.path = this.questions.slice(0, 1);
  }

  get current(): Question {
    return this.path.at(-1) as Question;
  }

  get isFirst(): boolean {
    return this.path.length === 1;
  }

  /** Whether this is the last question, given the current answer. */
  get isLast(): boolean {
    return this.following() === null;
  }

  answerTo({ id }: Question): Json | undefined {
    return this.answers[id];
  }

  /** Sets the answer to the current question; undefined and empty answers count as none. */
  answer(value: Json | undefined): void {
    const { [this.current.id]: _, ...others } = this.answers;
    const isNone = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    this.answers = isNone ? others : { ...others, [this.current.id]: value };
  }

  /** Moves to the next question; false at the end. */
  advance(): boolean {
    const next = this.following();
    if (next) this.path.push(next);
    return next !== null;
  }

  back(): void {
    if (!this.isFirst) this.path.pop();
  }

  /** Moves to a question that the server wants answered again; false when there is none with that id. */
  goTo(id: string): boolean {
    const at = this.path.findIndex((question) => question.id === id);
    const question = this.questions.find((one) => one.id === id);
    if (at >= 0) this.path = this.path.slice(0, at + 1);
    else if (question) this.path.push(question);
    return question !== undefined;
  }

  /** The answers on the current path; answers from abandoned branches do not count. */
  get given(): Answers {
    return Object.fromEntries(
      this.path.flatMap(({ id }) => (this.answers[id] === undefined ? [] : [[id, this.answers[id]]])),
    );
  }

  private following(): Question | null {
    const { id } = this.current;
    const rule = this.bundle.branching_rules.find(
      ({ from_question_id, predicate }) => from_question_id === id && branches(predicate, this.answers[id]),
    );
    const visited = new Set(this.path.map((question) => question.id));
    const next = rule
      ? this.questions.find((question) => question.id === rule.to_question_id)
      : this.questions[this.questions.indexOf(this.current) + 1];
    // Circular rules must not trap a person.
    return next && !visited.has(next.id) ? next : null;
  }
}
