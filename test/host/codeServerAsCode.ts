#!/usr/bin/env node
// Takes VS Code's own command line for extension tests and runs them in a browser-served VS Code.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Page, chromium } from 'playwright-core';
import { browserArguments, ensureBrowser } from '../../scripts/browser.mjs';
import { startCodeServer, workbenchUrl } from '../../scripts/codeServer.mjs';
import { installCodeServer } from '../../scripts/installCodeServer.mjs';
import { prepareToolchain, repositoryRoot } from '../../scripts/toolchain.mjs';
import { writeUserSettings } from '../ui/userSettings.ts';

/** For the whole suite, in milliseconds; the tests have their own, shorter limits. */
const suiteTimeout = 9 * 60_000;

/** Starts each line of the test report, which reaches us among everything that the workbench logs. */
const reportTag = '[agentkit test report]';

const logFile = path.join(repositoryRoot, 'test-results', 'host.log');

const { values, positionals } = parseArgs({ strict: false, allowPositionals: true });

/** The value of an option that VS Code needs too. */
function required(name: string): string {
  const value = values[name];
  if (typeof value === 'string') return path.resolve(value);
  throw new Error(`--${name}= is missing.`);
}

mkdirSync(path.dirname(logFile), { recursive: true });
writeFileSync(logFile, '');
const userDataDir = required('user-data-dir');
writeUserSettings(userDataDir, {});
const { node, env } = prepareToolchain();
const server = await startCodeServer({
  entry: installCodeServer(path.join(repositoryRoot, '.vscode-test'), env),
  node,
  env: { ...env, AGENTKIT_TEST_REPORT_TAG: reportTag },
  userDataDir,
  extensionsDir: required('extensions-dir'),
  testDriver: true,
  onOutput: (text) => appendFileSync(logFile, text),
});
const interrupted = new Promise<number>((resolve) => {
  process.once('SIGINT', () => resolve(130));
  process.once('SIGTERM', () => resolve(143));
});
const ended = server.exited.then((code) => {
  throw new Error(`The browser-served VS Code ended in the middle of the tests (exit ${code}).`);
});
try {
  process.exitCode = await Promise.race([runInBrowser(), ended, interrupted]);
} catch (error) {
  console.error(`${String(error)}\nWhat the workbench logged: ${logFile}`);
  process.exitCode = 1;
} finally {
  ended.catch(() => {});
  await server.stop();
}

/** Opens the workbench with the tests in its address; returns the exit code that VS Code reports for them. */
async function runInBrowser(): Promise<number> {
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArguments });
  try {
    const page = await browser.newPage();
    const exitCode = reportedExit(page);
    const remote = (file: string) => `vscode-remote://${new URL(server.origin).host}${encodeURI(file)}`;
    const payload: [string, string][] = [
      ['extensionDevelopmentPath', remote(required('extensionDevelopmentPath'))],
      ['extensionTestsPath', remote(required('extensionTestsPath'))],
    ];
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => printOrLog(type, args));
    await page.goto(workbenchUrl(server.origin, positionals[0], payload));
    return await exitCode;
  } finally {
    await browser.close();
  }
}

function printOrLog(type: string, args: unknown[]): void {
  const text = args.join(' ');
  if (text.startsWith(reportTag)) console.log(text.slice(reportTag.length));
  else appendFileSync(logFile, `[${type}] ${text}\n`);
}

function reportedExit(page: Page): Promise<number> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('The tests had no result in time.')), suiteTimeout).unref();
    page.on('crash', () => reject(new Error('The browser page crashed.')));
    page.exposeFunction('codeAutomationExit', resolve).catch(reject);
  });
}
