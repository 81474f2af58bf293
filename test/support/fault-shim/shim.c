/*
 * A library to preload into a service: system calls on files below FAULT_ROOT fail as the rules in the control file say, the
 * time of day is moved by an offset, and with FAULT_LOG every change of these files is written down with its syncs, so that
 * what a power cut would leave can be made afterwards. The control file is shared memory: the harness writes it while the
 * service runs. Its layout is in fault-shim.ts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define RULES 8
enum { OP_WRITE = 1, OP_SYNC = 2, OP_TRUNCATE = 4, OP_OPEN = 8, OP_RENAME = 16, OP_LINK = 32 };
enum { KILL = -1 };
enum { CREATE = 1, WRITE, TRUNCATE, SYNC_BEGIN, SYNC_END, RENAME, LINK, UNLINK, MKDIR, RMDIR };

struct rule {
  int32_t ops, error, skip, times;
  int32_t hits;
  char suffix[76];
};

struct control {
  int64_t clock_offset_ms;
  int64_t log_bytes;
  struct rule rules[RULES];
};

struct record {
  uint32_t type, path_bytes, data_bytes, status;
  uint64_t inode, offset;
};

static struct control *control;
static const char *root;
static size_t root_length;
static int log_file = -1;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULT_CONTROL");
  root = getenv("FAULT_ROOT");
  if (path == NULL || root == NULL) return;
  root_length = strlen(root);
  int file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  if (file < 0) return;
  void *shared = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (shared != MAP_FAILED) control = shared;
  const char *log = getenv("FAULT_LOG");
  if (log != NULL) log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_below_root(const char *path) {
  return control != NULL && path[0] == '/' && strncmp(path, root, root_length) == 0 && path[root_length] == '/';
}

/** Gives the path of an open file; 0 when it is not below the root. */
static int path_of(int fd, char path[PATH_MAX]) {
  if (control == NULL) return 0;
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below_root(path) || strcmp(path, root) == 0;
}

static uint64_t inode_of(int fd) {
  struct stat facts;
  return fstat(fd, &facts) == 0 ? facts.st_ino : 0;
}

/** Gives the error of the first rule that this call meets, or 0. */
static int fault_of(int op, const char *path) {
  for (int i = 0; i < RULES; i++) {
    struct rule *rule = &control->rules[i];
    if ((rule->ops & op) == 0) continue;
    size_t length = strlen(path), suffix = strlen(rule->suffix);
    if (suffix > length || strcmp(path + length - suffix, rule->suffix) != 0) continue;
    int hits = __atomic_add_fetch(&rule->hits, 1, __ATOMIC_SEQ_CST);
    if (hits <= rule->skip || (rule->times >= 0 && hits > rule->skip + rule->times)) continue;
    if (rule->error == KILL) {
      syscall(SYS_kill, getpid(), SIGKILL);
      for (;;) pause();
    }
    return rule->error;
  }
  return 0;
}

static void write_whole(const void *bytes, size_t size) {
  for (const char *at = bytes; size > 0;) {
    ssize_t written = syscall(SYS_write, log_file, at, size);
    if (written <= 0) abort();
    at += written;
    size -= written;
  }
}

/** Writes a record down. The caller holds the lock. */
static void note(struct record record, const char *path, const struct iovec *parts, int count) {
  if (log_file < 0) return;
  record.path_bytes = path == NULL ? 0 : strlen(path);
  write_whole(&record, sizeof record);
  if (record.path_bytes > 0) write_whole(path, record.path_bytes);
  size_t left = record.data_bytes;
  for (int i = 0; i < count && left > 0; i++) {
    size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
    write_whole(parts[i].iov_base, size);
    left -= size;
  }
  __atomic_add_fetch(&control->log_bytes, sizeof record + record.path_bytes + record.data_bytes, __ATOMIC_SEQ_CST);
}

static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t offset, const char *path) {
  int fault = fault_of(OP_WRITE, path);
  if (fault != 0) {
    errno = fault;
    return -1;
  }
  pthread_mutex_lock(&log_lock);
  struct stat facts;
  off_t at = offset;
  if (offset < 0) at = (fcntl(fd, F_GETFL) & O_APPEND) && fstat(fd, &facts) == 0 ? facts.st_size : lseek(fd, 0, SEEK_CUR);
  ssize_t written = offset < 0 ? syscall(SYS_writev, fd, parts, count)
                               : syscall(SYS_pwritev, fd, parts, count, (long)offset, 0L);
  int error = errno;
  if (written > 0)
    note((struct record){ .type = WRITE, .inode = inode_of(fd), .offset = at, .data_bytes = written }, NULL, parts, count);
  pthread_mutex_unlock(&log_lock);
  errno = error;
  return written;
}

ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(write);
  char path[PATH_MAX];
  if (!path_of(fd, path)) return real(fd, bytes, size);
  struct iovec part = { (void *)bytes, size };
  return write_parts(fd, &part, 1, -1, path);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  char path[PATH_MAX];
  return path_of(fd, path) ? write_parts(fd, parts, count, -1, path) : real(fd, parts, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  REAL(pwrite);
  char path[PATH_MAX];
  if (!path_of(fd, path)) return real(fd, bytes, size, offset);
  struct iovec part = { (void *)bytes, size };
  return write_parts(fd, &part, 1, offset, path);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) { return pwrite(fd, bytes, size, offset); }

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  REAL(pwritev);
  char path[PATH_MAX];
  return path_of(fd, path) ? write_parts(fd, parts, count, offset, path) : real(fd, parts, count, offset);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  return pwritev(fd, parts, count, offset);
}

int ftruncate(int fd, off_t size) {
  REAL(ftruncate);
  char path[PATH_MAX];
  if (!path_of(fd, path)) return real(fd, size);
  int fault = fault_of(OP_TRUNCATE, path);
  if (fault != 0) {
    errno = fault;
    return -1;
  }
  pthread_mutex_lock(&log_lock);
  int result = real(fd, size), error = errno;
  if (result == 0) note((struct record){ .type = TRUNCATE, .inode = inode_of(fd), .offset = size }, NULL, NULL, 0);
  pthread_mutex_unlock(&log_lock);
  errno = error;
  return result;
}

int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

static int sync_file(int fd, int (*real)(int)) {
  char path[PATH_MAX];
  if (!path_of(fd, path)) return real(fd);
  static uint32_t syncs;
  uint64_t inode = inode_of(fd);
  uint32_t number = __atomic_add_fetch(&syncs, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&log_lock);
  note((struct record){ .type = SYNC_BEGIN, .inode = inode, .offset = number }, NULL, NULL, 0);
  pthread_mutex_unlock(&log_lock);
  int fault = fault_of(OP_SYNC, path);
  int result = fault == 0 ? real(fd) : -1;
  int error = fault == 0 ? errno : fault;
  pthread_mutex_lock(&log_lock);
  note((struct record){ .type = SYNC_END, .inode = inode, .offset = number, .status = result == 0 ? 0 : 1 }, NULL, NULL, 0);
  pthread_mutex_unlock(&log_lock);
  errno = error;
  return result;
}

int fsync(int fd) {
  REAL(fsync);
  return sync_file(fd, real);
}

int fdatasync(int fd) {
  REAL(fdatasync);
  return sync_file(fd, real);
}

/** Relative names do not occur: the service has absolute paths. */
static int open_file(int at, const char *path, int flags, mode_t mode) {
  if ((flags & (O_CREAT | O_TRUNC)) == 0 || !is_below_root(path)) return syscall(SYS_openat, at, path, flags, mode);
  int fault = fault_of(OP_OPEN, path);
  if (fault != 0) {
    errno = fault;
    return -1;
  }
  pthread_mutex_lock(&log_lock);
  struct stat facts;
  int is_new = stat(path, &facts) != 0;
  int fd = syscall(SYS_openat, at, path, flags, mode), error = errno;
  if (fd >= 0 && is_new) note((struct record){ .type = CREATE, .inode = inode_of(fd) }, path, NULL, 0);
  else if (fd >= 0 && (flags & O_TRUNC)) note((struct record){ .type = TRUNCATE, .inode = inode_of(fd) }, NULL, NULL, 0);
  pthread_mutex_unlock(&log_lock);
  errno = error;
  return fd;
}

#define WITH_MODE(flags) \
  mode_t mode = 0; \
  if (((flags) & O_CREAT) != 0) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, int); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) {
  WITH_MODE(flags);
  return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  WITH_MODE(flags);
  return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int at, const char *path, int flags, ...) {
  WITH_MODE(flags);
  return open_file(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
  WITH_MODE(flags);
  return open_file(at, path, flags, mode);
}

/** A change of names: `other` is the second path, or NULL. */
static int change_names(uint32_t type, const char *path, const char *other, int op, long (*change)(const char *, const char *)) {
  if (!is_below_root(other == NULL ? path : other)) return change(path, other);
  int fault = op == 0 ? 0 : fault_of(op, other == NULL ? path : other);
  if (fault != 0) {
    errno = fault;
    return -1;
  }
  pthread_mutex_lock(&log_lock);
  struct iovec part = { (void *)other, other == NULL ? 0 : strlen(other) };
  int result = change(path, other), error = errno;
  if (result == 0) note((struct record){ .type = type, .data_bytes = part.iov_len }, path, &part, 1);
  pthread_mutex_unlock(&log_lock);
  errno = error;
  return result;
}

static long do_rename(const char *path, const char *other) { return syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 0); }
static long do_link(const char *path, const char *other) { return syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, other, 0); }
static long do_unlink(const char *path, const char *other) { return syscall(SYS_unlinkat, AT_FDCWD, path, 0); }
static long do_rmdir(const char *path, const char *other) { return syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR); }

int rename(const char *path, const char *other) { return change_names(RENAME, path, other, OP_RENAME, do_rename); }
int link(const char *path, const char *other) { return change_names(LINK, path, other, OP_LINK, do_link); }
int unlink(const char *path) { return change_names(UNLINK, path, NULL, 0, do_unlink); }
int rmdir(const char *path) { return change_names(RMDIR, path, NULL, 0, do_rmdir); }

int mkdir(const char *path, mode_t mode) {
  pthread_mutex_lock(&log_lock);
  int result = syscall(SYS_mkdirat, AT_FDCWD, path, mode), error = errno;
  struct stat facts;
  if (result == 0 && is_below_root(path) && stat(path, &facts) == 0)
    note((struct record){ .type = MKDIR, .inode = facts.st_ino }, path, NULL, 0);
  pthread_mutex_unlock(&log_lock);
  errno = error;
  return result;
}

static int64_t offset_ms(void) { return control == NULL ? 0 : __atomic_load_n(&control->clock_offset_ms, __ATOMIC_SEQ_CST); }

int clock_gettime(clockid_t clock, struct timespec *time) {
  REAL(clock_gettime);
  int result = real(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t ms = offset_ms();
    time->tv_sec += ms / 1000;
  }
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  REAL(gettimeofday);
  int result = real(time, zone);
  if (result == 0) time->tv_sec += offset_ms() / 1000;
  return result;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}
