import {
  Disposable,
  EventEmitter,
  FileSystemError,
  FileType,
  workspace,
  type FileChangeEvent,
  type FileStat,
  type FileSystemProvider,
  type Uri,
} from 'vscode';
import { revisionScheme } from '../../ids.ts';
import type { AgentKit } from '../../engine/agentKitTypes.ts';
import { failureReason } from '../platform/failureReason.ts';
import { revisionOf } from '../platform/revisionUri.ts';

/** Bytes kept for the next read, in files; the editor asks for a file's size and its content one after the other. */
const kept = 50;

/** `agentkit-rev:` files by commit and path. What a commit holds never changes, so nothing is watched. */
export class RevisionFileSystem implements FileSystemProvider {
  readonly onDidChangeFile = new EventEmitter<FileChangeEvent[]>().event;
  readonly #kit: () => Promise<AgentKit>;
  readonly #blobs = new Map<string, Promise<Uint8Array>>();

  constructor(kit: () => Promise<AgentKit>) {
    this.#kit = kit;
  }

  static register(kit: () => Promise<AgentKit>): Disposable {
    const options = { isReadonly: true, isCaseSensitive: true };
    return workspace.registerFileSystemProvider(revisionScheme, new RevisionFileSystem(kit), options);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const key = uri.toString();
    const blob = this.#blobs.get(key) ?? this.#read(uri);
    this.#blobs.delete(key);
    this.#blobs.set(key, blob);
    const [oldest] = this.#blobs.keys();
    if (this.#blobs.size > kept && oldest !== undefined) this.#blobs.delete(oldest);
    try {
      return await blob;
    } catch (error) {
      this.#blobs.delete(key);
      throw failureReason(error) === 'not_found' ? FileSystemError.FileNotFound(uri) : error;
    }
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { length } = await this.readFile(uri);
    return { type: FileType.File, ctime: 0, mtime: 0, size: length };
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  readDirectory(uri: Uri): never {
    throw FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  async #read(uri: Uri): Promise<Uint8Array> {
    const revision = revisionOf(uri);
    if (!revision) throw FileSystemError.FileNotFound(uri);
    if (revision.commit === null) return new Uint8Array();
    return (await this.#kit()).readBlob(revision.commit, revision.path);
  }
}
