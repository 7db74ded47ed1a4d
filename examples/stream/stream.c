/*
 * stream.c - sends runs to standard output while it records them, into a ring of 64 KiB that never grows.
 *
 *     cc stream.c $(pkg-config --cflags --libs etcapture) -o stream
 *     ./stream 1000 | etinspect recover -o run.etdp -
 *     ./stream 1000 | ssh desk etinspect recover -o run.etdp -
 *
 * On a board, write_bytes() puts bytes into the FIFO of a UART and returns how many it had room for; on the desk,
 * etinspect recover -o run.etdp - </dev/ttyUSB0 reads them until the port is closed. Text between the packets is skipped.
 */
#include <etcapture.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static _Alignas(8) unsigned char ring[65536], of_stream[16384];

/* Never waits: what the pipe has no room for is sent later. */
static int write_bytes(void *context, const void *data, size_t size) {
    ssize_t n = write(*(const int *)context, data, size < 4096 ? size : 4096);
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : (int)n;
}

static volatile float sum; /* so that the compiler keeps the loop */

static void infer(etc_capture *c, etc_name conv, etc_name dense) {
    etc_run(c, "Execute");
    for (unsigned i = 0; i < 2; i++) {
        etc_set_instruction(c, 0, i);
        etc_span span = etc_start(c, i ? dense : conv);
        for (int k = 0; k < (i ? 1000 : 4000); k++)
            sum += (float)k;
        etc_end(c, &span);
    }
    etc_unset_instruction(c);
    etc_run_end(c);
}

int main(int argc, char **argv) {
    int descriptor = STDOUT_FILENO;
    long n = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    etc_config config = ETC_CONFIG_INIT;
    config.when_full = ETC_RING;
    if (n <= 0) {
        fprintf(stderr, "usage: stream RUNS | etinspect recover -o run.etdp -\n");
        return 2;
    }
    (void)fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    etc_capture *c = etc_init(ring, sizeof ring, &config);
    etc_stream *stream = etc_stream_init(of_stream, sizeof of_stream, c,
                                         (etc_stream_sink){write_bytes, &descriptor});
    etc_name conv = etc_intern(c, "native_call_conv"), dense = etc_intern(c, "native_call_dense");
    etc_status status = ETC_OK;
    for (long i = 0; i < n && status != ETC_IO; i++) {
        infer(c, conv, dense);
        status = etc_stream_send(stream);
    }
    const struct timespec pause = {0, 1000000};
    while (status == ETC_FULL && (status = etc_stream_send(stream)) == ETC_FULL)
        nanosleep(&pause, NULL);
    fprintf(stderr, "stream: %llu of %ld runs lost\n", (unsigned long long)etc_stream_lost(stream),
            n);
    return status != ETC_OK;
}
