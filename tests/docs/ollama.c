/* A stand-in for Ollama: asks Metal nothing, and starts lib/ollama/llama-server beside it, as
 * `ollama serve` does. */
#define _GNU_SOURCE
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv) {
    char path[PATH_MAX + sizeof "/lib/ollama/llama-server"];
    if (argc != 2 || strcmp(argv[1], "serve") != 0 || !realpath("/proc/self/exe", path)) {
        fputs("usage: ollama serve\n", stderr);
        return 2;
    }
    strcpy(strrchr(path, '/'), "/lib/ollama/llama-server");
    pid_t child;
    int status = 1;
    char *arguments[] = {path, "--port", "0", NULL};
    if (posix_spawn(&child, path, NULL, NULL, arguments, environ) != 0) {
        perror(path);
        return 1;
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
