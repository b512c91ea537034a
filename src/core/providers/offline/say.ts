// What the built-in model says. Every text is a template; only quotes from tool results fill the slots.
import beyond from '../../../../templates/offline/beyond.md';
import denied from '../../../../templates/offline/denied.md';
import describedFile from '../../../../templates/offline/described-file.md';
import edited from '../../../../templates/offline/edited.md';
import facts from '../../../../templates/offline/facts.md';
import failed from '../../../../templates/offline/failed.md';
import files from '../../../../templates/offline/files.md';
import help from '../../../../templates/offline/help.md';
import hits from '../../../../templates/offline/hits.md';
import intro from '../../../../templates/offline/intro.md';
import listed from '../../../../templates/offline/listed.md';
import looking from '../../../../templates/offline/looking.md';
import noFacts from '../../../../templates/offline/no-facts.md';
import noFile from '../../../../templates/offline/no-file.md';
import noMatch from '../../../../templates/offline/no-match.md';
import noTool from '../../../../templates/offline/no-tool.md';
import nothing from '../../../../templates/offline/nothing.md';
import onlyNames from '../../../../templates/offline/only-names.md';
import planOnly from '../../../../templates/offline/plan-only.md';
import ran from '../../../../templates/offline/ran.md';
import read from '../../../../templates/offline/read.md';
import severalFiles from '../../../../templates/offline/several-files.md';
import severalThings from '../../../../templates/offline/several-things.md';
import wordsOnly from '../../../../templates/offline/words-only.md';
import wrote from '../../../../templates/offline/wrote.md';
import { fill } from '../../platform/templates.ts';

type Values<Slot extends string> = Record<Slot, string>;

export const say = {
  intro: () => fill(intro),
  help: () => fill(help),
  looking: () => fill(looking),
  beyond: () => fill(beyond),
  severalThings: () => fill(severalThings),
  describedFile: (values: Values<'path'>) => fill(describedFile, values),
  wordsOnly: () => fill(wordsOnly),
  denied: (values: Values<'call'>) => fill(denied, values),
  noTool: (values: Values<'tool'>) => fill(noTool, values),
  planOnly: (values: Values<'action'>) => fill(planOnly, values),
  failed: (values: Values<'tool' | 'error'>) => fill(failed, values),
  listed: (values: Values<'place' | 'rows'>) => fill(listed, values),
  files: (values: Values<'pattern' | 'count' | 'rows'>) => fill(files, values),
  hits: (values: Values<'text' | 'count' | 'rows'>) => fill(hits, values),
  nothing: (values: Values<'text' | 'place'>) => fill(nothing, values),
  onlyNames: (values: Values<'text' | 'rows'>) => fill(onlyNames, values),
  noFile: (values: Values<'path'>) => fill(noFile, values),
  severalFiles: (values: Values<'path' | 'rows'>) => fill(severalFiles, values),
  read: (values: Values<'path' | 'rows' | 'outline'>) => fill(read, values),
  wrote: (values: Values<'path' | 'result'>) => fill(wrote, values),
  edited: (values: Values<'path' | 'what' | 'result'>) => fill(edited, values),
  noMatch: (values: Values<'path' | 'what'>) => fill(noMatch, values),
  ran: (values: Values<'command' | 'end' | 'output'>) => fill(ran, values),
  facts: (values: Values<'path' | 'how' | 'rows' | 'others' | 'root' | 'limit'>) => fill(facts, values),
  noFacts: (values: Values<'words' | 'rows'>) => fill(noFacts, values),
};
