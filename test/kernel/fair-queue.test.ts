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

queue('serves tenants in turns, each in its own order', () => {
  const waiting = new FairQueue<string>(10);
  for (const task of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) waiting.add(task.charAt(0), task);
  assert.equal(takeAll(waiting), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

queue('passes over tenants that are being served', () => {
  const waiting = new FairQueue<string>(10);
  for (const task of ['a1', 'b1', 'a2']) waiting.add(task.charAt(0), task);
  assert.equal(
    takeAll(waiting, (tenant) => tenant === 'a'),
    ['b1'],
  );
  assert.equal(takeAll(waiting), ['a1', 'a2']);
});

queue('gives a newcomer the place of the greediest tenant', () => {
  const waiting = new FairQueue<string>(3);
  for (const task of ['b1', 'a1', 'a2']) assert.is(waiting.add(task.charAt(0), task), undefined);
  assert.is(waiting.add('a', 'a3'), 'a3', 'more of the same is refused');
  assert.is(waiting.add('c', 'c1'), 'a2', 'a newcomer is not');
  assert.equal(takeAll(waiting), ['b1', 'a1', 'c1']);
});

queue('takes no place from a tenant that has no more waiting', () => {
  const waiting = new FairQueue<string>(3);
  for (const task of ['a1', 'b1', 'c1']) assert.is(waiting.add(task.charAt(0), task), undefined);
  assert.is(waiting.add('d', 'd1'), 'd1');
  assert.equal(takeAll(waiting), ['a1', 'b1', 'c1']);
});

queue.run();
