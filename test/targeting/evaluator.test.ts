import { suite } from 'uvu';
import { compareEvaluators } from './compare-evaluators.js';

const x = suite('the evaluator compared with a naive one');

x('agrees on generated rules and conditions for generated subjects', () => {
  compareEvaluators(2_000, 20_261_122);
});

x.run();
