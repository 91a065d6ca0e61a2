/** A file system error in plain words. */
export function toFileReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'no such file',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
    ENOTDIR: 'part of its path is not a folder',
    ELOOP: 'its symbolic links form a loop',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space left on the disk',
    EDQUOT: 'disk quota exceeded',
  }
  return reasons[code ?? ''] ?? message
}
