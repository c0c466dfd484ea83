import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FairQueue } from '../../src/kernel/turns/fair-queue.js';

const queue = suite('the fair queue');

const nobody = () => false;

function takeAll(waiting: FairQueue<string>, passesOver: (tenant: string) => boolean = nobody): string[] {
  const taken: string[] = [];
  for (let next = waiting.take(passesOver); next; next = waiting.take(passesOver)) taken.push(next.task);
  return taken;
}

queue('takes tenants in turn, and keeps the order within each', () => {
  const waiting = new FairQueue<string>(10);
  for (const task of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) waiting.add(task.charAt(0), task);
  assert.equal(takeAll(waiting), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

queue('skips tenants that are being served', () => {
  const waiting = new FairQueue<string>(10);
  for (const task of ['a1', 'b1', 'a2']) waiting.add(task.charAt(0), task);
  assert.equal(
    takeAll(waiting, (tenant) => tenant === 'a'),
    ['b1'],
  );
  assert.equal(takeAll(waiting), ['a1', 'a2']);
});

queue('makes room for a new tenant at the expense of the one with the most waiting', () => {
  const waiting = new FairQueue<string>(3);
  for (const task of ['b1', 'a1', 'a2']) assert.is(waiting.add(task.charAt(0), task), undefined);
  assert.is(waiting.add('a', 'a3'), 'a3', 'the greediest tenant gets no more places');
  assert.is(waiting.add('c', 'c1'), 'a2', 'a new tenant does');
  assert.equal(takeAll(waiting), ['b1', 'a1', 'c1']);
});

queue('takes no place from a tenant that has no more waiting than others', () => {
  const waiting = new FairQueue<string>(3);
  for (const task of ['a1', 'b1', 'c1']) assert.is(waiting.add(task.charAt(0), task), undefined);
  assert.is(waiting.add('d', 'd1'), 'd1');
  assert.equal(takeAll(waiting), ['a1', 'b1', 'c1']);
});

queue.run();
