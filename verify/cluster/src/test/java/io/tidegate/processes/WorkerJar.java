package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The class path of the workers as one file, in which each call for the time of day goes to {@link ShiftedClock}
 * instead: in the library, the drivers and the worker itself. The JDK's own classes stay as they are. One file also
 * makes a process start faster than many.
 */
final class WorkerJar {
    private static final String SHIFTED_CLOCK = "io/tidegate/processes/ShiftedClock";
    private static final Set<String> QUESTIONS = Set.of(
            "java/lang/System.currentTimeMillis()J",
            "java/time/Instant.now()Ljava/time/Instant;",
            "java/time/Clock.systemUTC()Ljava/time/Clock;",
            "java/time/Clock.systemDefaultZone()Ljava/time/Clock;");
    private static final List<String> WANTED = List.of(".class", ".lua", ".properties", ".sql");
    private static final String SERVICES = "META-INF/services/";

    /** Archives that only tests need. */
    private static final List<String> UNWANTED = List.of(
            "org/junit/",
            "org/assertj/",
            "net/bytebuddy/",
            "org/apache/",
            "org/tukaani/",
            "ch/vorburger/",
            "META-INF/versions/");

    private final Set<String> names = new HashSet<>();

    /** The providers of each service. Several archives may have a file of the same name for a service. */
    private final Map<String, ByteArrayOutputStream> services = new TreeMap<>();

    private final JarOutputStream jar;

    private WorkerJar(JarOutputStream jar) {
        this.jar = jar;
    }

    static void write(Path file) throws IOException {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
            jar.setLevel(Deflater.NO_COMPRESSION);
            WorkerJar all = new WorkerJar(jar);
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                Path path = Path.of(entry);
                if (Files.isDirectory(path)) {
                    all.addFolder(path);
                } else if (Files.exists(path)) {
                    all.addArchive(path);
                }
            }
            for (Map.Entry<String, ByteArrayOutputStream> service : all.services.entrySet()) {
                all.add(service.getKey(), service.getValue().toByteArray());
            }
        }
    }

    private void addFolder(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString().replace(File.separatorChar, '/');
                if (isNew(name)) {
                    add(name, Files.readAllBytes(file));
                }
            }
        }
    }

    private void addArchive(Path file) throws IOException {
        try (ZipFile archive = new ZipFile(file.toFile())) {
            for (ZipEntry entry : Collections.list(archive.entries())) {
                if (entry.getName().startsWith(SERVICES) && !entry.isDirectory()) {
                    ByteArrayOutputStream providers =
                            services.computeIfAbsent(entry.getName(), name -> new ByteArrayOutputStream());
                    archive.getInputStream(entry).transferTo(providers);
                    providers.write('\n');
                } else if (isNew(entry.getName())) {
                    add(entry.getName(), archive.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    private boolean isNew(String name) {
        return WANTED.stream().anyMatch(name::endsWith)
                && UNWANTED.stream().noneMatch(name::startsWith)
                && names.add(name);
    }

    private void add(String name, byte[] bytes) throws IOException {
        jar.putNextEntry(new ZipEntry(name));
        jar.write(mayAsk(name, bytes) ? shifted(bytes) : bytes);
        jar.closeEntry();
    }

    /** Whether a class may ask for the time. Most classes need no closer look. */
    private static boolean mayAsk(String name, byte[] bytes) {
        if (!name.endsWith(".class") || name.startsWith(SHIFTED_CLOCK)) {
            return false;
        }
        String text = new String(bytes, ISO_8859_1);
        return text.contains("currentTimeMillis")
                || text.contains("java/time/Instant")
                || text.contains("java/time/Clock");
    }

    private static byte[] shifted(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        return new Questions(super.visitMethod(access, name, descriptor, signature, exceptions));
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static final class Questions extends MethodVisitor {
        Questions(MethodVisitor written) {
            super(Opcodes.ASM9, written);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            boolean asksForTime = QUESTIONS.contains(owner + "." + name + descriptor);
            super.visitMethodInsn(opcode, asksForTime ? SHIFTED_CLOCK : owner, name, descriptor, isInterface);
        }
    }
}
