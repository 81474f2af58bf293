/* Calls of the system that a script cannot make, by a program that runs confined. Prints {call: 'done' or an error}. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_CHILDREN = 4000 };
static const char *separator = "{";

static void tell(const char *name, int succeeded) {
  printf("%s\"%s\":\"%s\"", separator, name, succeeded ? "done" : strerror(errno));
  separator = ",";
}

/* Versions of Node differ in the length of an abstract name. */
static int connect_abstract(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
  if (connect(descriptor, (void *)&address, sizeof address) == 0) return 0;
  return connect(descriptor, (void *)&address, sizeof(sa_family_t) + 1 + strlen(name));
}

/* A changed root is left by changing it again, below a directory that is still open. */
static int leave_root(void) {
  struct stat inside, outside;
  int top = open("/", O_RDONLY | O_DIRECTORY);
  stat("/", &inside);
  if (chroot("/usr") != 0 || fchdir(top) != 0) return -1;
  for (int level = 0; level < 64; level++)
    if (chdir("..") != 0) return -1;
  stat(".", &outside);
  errno = ESTALE;
  return inside.st_ino == outside.st_ino && inside.st_dev == outside.st_dev ? -1 : 0;
}

static int in_child(int (*attempt)(void)) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit(attempt() == 0 ? 0 : errno);
  waitpid(child, &status, 0);
  errno = WEXITSTATUS(status);
  return errno == 0 ? 0 : -1;
}

static int become_root_elsewhere(void) { return unshare(CLONE_NEWUSER); }
static int mount_elsewhere(void) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return -1;
  return umount2("/usr/lib64", MNT_DETACH);
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  const char *dataDir = arguments[1], *room = arguments[2];
  pid_t service = atoi(arguments[3]);
  char path[4096], byte;
  struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};

  snprintf(path, sizeof path, "%s/ocr.db", dataDir);
  int store = open(path, O_RDWR);
  tell("mapsStore", store >= 0 && mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, store, 0) != MAP_FAILED);
  snprintf(path, sizeof path, "%s/document", room);
  int document = open(path, O_RDWR);
  tell("mapsItsDocumentWritable", document >= 0);
  tell("connectsToAbstractSocket", connect_abstract(dataDir) == 0);
  tell("traces", ptrace(PTRACE_SEIZE, service, 0, 0) == 0);
  tell("readsMemory", process_vm_readv(service, &here, 1, &there, 1, 0) >= 0);
  tell("mounts", mount("none", "/", 0, MS_REC | MS_PRIVATE, 0) == 0);
  tell("unmounts", umount2(room, MNT_DETACH) == 0);
  tell("remountsWritable", mount(0, room, 0, MS_REMOUNT | MS_BIND, 0) == 0);
  tell("leavesRoot", in_child(leave_root) == 0);
  tell("makesUserNamespace", in_child(become_root_elsewhere) == 0);
  tell("mountsInUserNamespace", in_child(mount_elsewhere) == 0);
  tell("becomesRoot", setresuid(0, 0, 0) == 0);
  tell("makesDevice", mknod("/device", S_IFCHR | 0600, 0x0103) == 0);
  tell("gainsPrivileges", (errno = EPERM, prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0));
  tell("opensSettingOfKernel", open("/proc/sys/kernel/core_pattern", O_WRONLY) >= 0);

  static pid_t children[MAX_CHILDREN];
  int forked = 0;
  while (forked < MAX_CHILDREN && (children[forked] = fork()) >= 0) {
    if (children[forked] == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      pause();
      _exit(0);
    }
    forked++;
  }
  tell("forksWithoutEnd", forked == MAX_CHILDREN);
  for (int child = 0; child < forked; child++) kill(children[child], SIGKILL);
  puts("}");
  return 0;
}
