/** Loaded before a command (`node --import`): makes its streams write to a slow disk. */
import fs from 'node:fs';

const longest = Number(process.env.DISK_DELAY_MS);
const { write, writev } = fs;

function later(write: (...parameters: never[]) => void) {
  return (...parameters: never[]): void => {
    setTimeout(() => write(...parameters), Math.random() * longest);
  };
}

Object.assign(fs, { write: later(write), writev: later(writev) });
